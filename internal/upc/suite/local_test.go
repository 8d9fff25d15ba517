//go:build !quick

package suite

import "testing"

// wrongLocals are uses of pointers-to-local.
var wrongLocals = []wrongLine{
	{"LANG-13", "an access: pointer (`local`) points to memory that was freed at program.upc:42 (allocated at " +
		"program.upc:34).", 43},
	{"LANG-14", "an access: pointer (`local`) points to no object: it is 0 bytes beyond the end of the nearest " +
		"one on thread ", 46},
	{"LANG-14", "an access: pointer (`local`) points to byte ", 48},
	{"LANG-14", "an access: pointer (`((int *)&all[MYTHREAD])`) points to no object: it is 0 bytes beyond the end of " +
		"the nearest one on thread ", 50},
	{"LANG-09", "an access: pointer (`nowhere`) is null, as a cast at program.upc:52 gave it.", 53},
	{"CAST-04", "an access: pointer (`casted`) is null, as upc_cast at program.upc:56 gave it.", 57},
	{"CAST-05", "an access: pointer (`casted`) points to memory that was freed at program.upc:61 (allocated at " +
		"program.upc:34).", 62},
	{"LANG-24", "an access: pointer (`theirs`) is one of thread ", 66},
	{"LANG-24", "an access: pointer (`buffers[other]`) is one of thread ", 69},
	{"LANG-12", "an access: pointer (`records[other].numbers`) is one of thread ", 71},
	{"CAST-06", "an access: pointer (`theirs`) is one of thread ", 77},
}

const locals = `#include <upc.h>
#include <upc_castable.h>
#include <stdlib.h>
#include <string.h>
struct record { int size; int *numbers; };
int *shared buffers[THREADS];
shared struct record records[THREADS];
static int mine[4];
static int sum(const int *from, const int *to)
{
	int all = 0;
	while (from < to)
		all += *from++;
	return all;
}
static int list(void)
{
	struct node { struct node *next; int value; } *head = 0;
	int all = 0;
	for (int i = 0; i < 3; i++) {
		shared [] struct node *node = upc_alloc(sizeof(struct node));
		((struct node *)node)->next = head;
		head = (struct node *)node;
		head->value = i;
	}
	for (struct node *n = head; n; n = n->next)
		all += n->value;
	return all;
}
int main(int argc, char **argv)
{
	int which = argc > 1 ? atoi(argv[1]) : -1, other = (MYTHREAD + 1) % THREADS;
	shared int *all = upc_all_alloc(THREADS, sizeof(int));
	shared [] int *own = upc_alloc(8 * sizeof(int)), *second = upc_alloc(8 * sizeof(int)), *nothing = 0;
	int *local = (int *)own, *casted, *nowhere = 0;
	for (int i = 0; i < 8; i++)
		local[i] = i;
	int distance = (int)((int *)second - local);
	second[0] = 1;
	upc_barrier;
	if (which == 0) {
		upc_free(own);
		local[1] = 3;
	}
	if (which == 1)
		local[8] = 3;
	if (which == 2)
		local[distance + 1] = 3;
	if (which == 3)
		((int *)&all[MYTHREAD])[1] = 3;
	if (which == 4) {
		nowhere = (int *)nothing;
		*nowhere = 1;
	}
	if (which == 5) {
		casted = upc_cast(nothing);
		casted[0] = 1;
	}
	if (which == 6) {
		casted = upc_cast(own);
		upc_free(own);
		*casted = 1;
	}
	buffers[MYTHREAD] = mine; upc_barrier;
	int *theirs = buffers[which == 7 ? other : MYTHREAD];
	theirs[1] = 3;
	upc_barrier;
	if (which == 8)
		*buffers[other] = 4;
	records[MYTHREAD].numbers = (int *)own;
	upc_barrier; if (which == 9) records[other].numbers[1] = 4;
	upc_barrier;
	buffers[MYTHREAD] = upc_cast(own);
	upc_barrier;
	if (which == 10) {
		int *theirs = buffers[other];
		*theirs = 4;
	}
	/* What is right. */
	int *again = records[MYTHREAD].numbers, **place = &local;
	again[7] = sum(again, again + 8) + sum((int *)own, local + 8) + list() + **place;
	if (buffers[MYTHREAD])
		*buffers[MYTHREAD] = buffers[other] == local;
	struct record copy = records[MYTHREAD];
	copy.numbers[0] = *copy.numbers;
	memset(local, 0, 8 * sizeof *local);
	casted = upc_cast(&all[MYTHREAD]);
	*casted = local[2];
	upc_free(own);
	shared [] int *next = upc_alloc(2 * sizeof(int));
	((int *)next)[1] = ((int *)next)[0] = 1;
	upc_barrier;
	if (MYTHREAD == 0) {
		/* What another thread overwrites is its own. */
		for (int t = 0; t < THREADS; t++)
			buffers[t] = 0;
	}
	upc_barrier;
	buffers[MYTHREAD] = mine;
	theirs = *&buffers[MYTHREAD];
	return theirs[0] == 17;
}
`

// What pointers-to-local are used for is checked.
func TestLocals(t *testing.T) {
	accessed(t, locals, wrongLocals)
}
