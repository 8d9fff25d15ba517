/* Stands in for the header that package catalogue generates. */
#ifndef UPCK_OPS_H
#define UPCK_OPS_H
enum { UPCK_OP_NOTIFY = 1, UPCK_OP_WAIT, UPCK_OP_BARRIER, UPCK_OP_FORALL, UPCK_OP_END, UPCK_OP_broadcast = 16, UPCK_OP_gather, UPCK_OP_reduce, UPCK_OP_fsync };
struct upck_function {
	const char *name;
	int op, nparams;
	const char *const *params;
	const char *deadlock, *order, *region;
	const char *const *single;
};
extern const struct upck_function *upck_function(int op);
extern const char *upck_hint(const char *id);
#endif
