/* The part of the checker's interface that wrappers use. */
#ifndef UPCK_H
#define UPCK_H

struct upck_arg {
	const char *text, *decl;
};
struct upck_shape {
	long block;
	unsigned long element;
	int kind;
	shared const void *object;
	unsigned long bytes;
	int times;
	long room, object_block;
};
struct upck_site {
	const char *call, *file, *function;
	int line, nargs;
	const struct upck_arg *args;
	int region;
	const struct upck_shape *shapes;
	int unused;
};
enum { UPCK_WARNING, UPCK_ERROR };
enum { UPCK_INT, UPCK_UNSIGNED, UPCK_SHARED, UPCK_TEXT, UPCK_DOUBLE };
struct upck_value {
	int arg, kind;
	unsigned long long bits[3];
};
struct upck_value upck_int(int arg, long long value);
struct upck_value upck_unsigned(int arg, unsigned long long value);
struct upck_value upck_shared(int arg, shared const void *value);
struct upck_value upck_text(int arg, const char *value);

int upck_unchecked(void);
int upck_forall_depth(void);
void upck_forall_left(int depth);
void upck_collective(const struct upck_site *site, int op, int sync, int n, const struct upck_value *values);
void upck_done(void);
void upck_wrong(const struct upck_site *site, const char *id, int severity, int arg, const char *format, ...);
void upck_lock_made(shared void *lock, const struct upck_site *site, int collective);
void upck_lock_freed(shared void *lock, const struct upck_site *site, int collective);
int upck_locking(const struct upck_site *site, shared void *lock);
void upck_attempting(const struct upck_site *site, shared void *lock);
void upck_locked(const struct upck_site *site, shared void *lock, int got);
void upck_unlocking(const struct upck_site *site, shared void *lock);

#endif
