/*
 * Stands in for what package catalogue and package instrument add to the checker's run-time, for its own tests.
 */
#include <string.h>

#include "upck.h"
#include "upck_ops.h"

static const char *const move[] = {"dst", "src", "nbytes", "flags"};
static const char *const move_ids[] = {"MOVE-01", "MOVE-02", "MOVE-03", "MOVE-04"};
static const struct upck_function functions[] = {
	{"upc_all_broadcast", UPCK_OP_broadcast, 4, move, "BCST-01", "BCST-02", "BCST-03", move_ids},
	{"upc_all_gather", UPCK_OP_gather, 4, move, "GATH-01", "GATH-02", "GATH-03", move_ids},
};

const struct upck_function *upck_function(int op)
{
	for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
		if (functions[i].op == op)
			return &functions[i];
	return 0;
}

const char *upck_hint(const char *id)
{
	return strcmp(id, "BCST-09") == 0 ? "nbytes is the number of bytes that each thread gets" : 0;
}

void upck_books_end(void);
void upck_books_end(void)
{
}
