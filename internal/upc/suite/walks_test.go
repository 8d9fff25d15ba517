//go:build !quick

package suite

import "testing"

// wrongWalks are steps of pointers and subscripts that leave their object.
var wrongWalks = []wrongLine{
	{"LANG-15", "arithmetic: pointer (`all + 3 * THREADS + 1`) is element ", 36},
	{"LANG-15", "arithmetic: pointer (`own - 1`) is element -1 of an object that has 4 (allocated at program.upc:16).",
		38},
	{"LANG-15", "arithmetic: pointer (`walker += 5`) is element 5 of an object that has 4 (allocated at " +
		"program.upc:16).", 41},
	{"LANG-15", "arithmetic: pointer (`walker--`) is element -1 of an object that has 4 (allocated at program.upc:16).",
		44},
	{"LANG-15", "arithmetic: pointer (`cells[rows]`) is element ", 46},
	{"LANG-15", "arithmetic: pointer (`vector + n + 1`) is element ", 47},
	{"LANG-16", "arithmetic: pointer (`none + 1`) is computed from a null pointer.", 50},
	{"LANG-07", "a subscript: index (`column + 1`) is 5, and the dimension has 5 elements.", 52},
	{"LANG-07", "a subscript: index (`column`) is 4, and the dimension has 3 elements.", 54},
	{"LANG-03", "a subscript: index (`n`) is ", 56},
	{"LANG-04", "a subscript: index (`-n`) is -", 58},
	{"LANG-03", "an access: pointer (`first[distance]`) is element ", 62},
	{"LANG-04", "an access: pointer (`second[-distance]`) is element -", 64},
}

const walks = `#include <upc.h>
#include <stdlib.h>
shared [5] int grid[2 * THREADS][5];
shared double vector[THREADS];
shared struct { int size; int data[1]; } loose[THREADS];
static int sum(shared [] const int *p, shared [] const int *end)
{
	int all = 0;
	while (p < end)
		all += *p++;
	return all;
}
int main(int argc, char **argv)
{
	shared int *all = upc_all_alloc(THREADS, 3 * sizeof(int));
	shared [] int *own = upc_alloc(4 * sizeof(int)), *walker = own;
	shared [4] int *cells = upc_all_alloc(2 * THREADS, 4 * sizeof(int));
	shared [] int *first = upc_alloc(8 * sizeof(int)), *second = upc_alloc(8 * sizeof(int)), *none = 0;
	shared [] int (*table)[3] = (shared [] int (*)[3])upc_alloc(6 * sizeof(int));
	static shared [5] int *start = grid[0] + 5;
	int which = argc > 1 ? atoi(argv[1]) : -1, rows = 8 * THREADS + 1, n = THREADS, column = 4;
	long distance = ((long)upc_addrfield(second) - (long)upc_addrfield(first)) / (long)sizeof(int);
	if (distance < 0) {
		shared [] int *other = first;
		first = second;
		second = other;
		distance = -distance;
	}
	for (int i = 0; i < 4; i++)
		own[i] = first[i] = second[i] = i;
	upc_forall (int i = 0; i < THREADS; i++; &grid[i][0])
		for (int j = 0; j <= column; j++)
			grid[i][j] = (int)(vector[i] = j);
	upc_barrier;
	if (which == 0)
		walker = (shared [] int *)(all + 3 * THREADS + 1);
	if (which == 1)
		walker = own - 1;
	if (which == 2) {
		walker = own;
		walker += 5;
	}
	if (which == 3)
		walker--;
	if (which == 4)
		cells = &cells[rows];
	if (which == 5 && vector + n + 1)
		n = 0;
	if (which == 6)
		second = none + 1;
	if (which == 7)
		grid[MYTHREAD][column + 1] = 0;
	if (which == 8)
		table[0][column] = 0;
	if (which == 9)
		vector[n] = 1;
	if (which == 10)
		vector[-n] = 1;
	shared [] int *far = second + (0);
	far = far - 0;
	if (which == 11)
		first[distance] = 1;
	if (which == 12)
		second[-distance] = 1;
	/* What is right. */
	int result = sum(own, own + 4) + sum(walker + 4 - 4, walker + 4);
	for (shared [] int *p = own; p != &own[4]; ++p)
		result += *p;
	for (shared [] int *p = own + 4; p > own;)
		result += *--p;
	for (shared int *p = all; p < all + 3 * THREADS; p += 1)
		if (upc_threadof(p) == MYTHREAD)
			*p = result;
	shared [4] int *after = cells + 8 * THREADS;
	for (shared [4] int *p = cells; p < after; p += 4)
		if (upc_threadof(p) == MYTHREAD)
			p[3] = p[0] = (p + 3)[-1] = 1;
	if (MYTHREAD == 0) {
		shared [5] int *p = &grid[0][0], *end = &grid[2 * THREADS - 1][5], *half = grid[n];
		while (p < end)
			*p++ = half < end && start < end;
		(&vector[n])[-1] = vector[n - 1] + 1;
		table[1][2] = (&loose[n])[-1].size;
		shared [] int *data = loose[0].data;
		table[0][2] = loose[0].data[none + 0 ? 1 : 0] + *data;
		shared [] char *bytes = (shared [] char *)(own + 1);
		bytes[11] = *(bytes + 3) = *(bytes - 4);
	}
	upc_barrier;
	return 0;
}
`

// What arithmetic and subscripts make of pointers is checked if that was asked for.
func TestWalks(t *testing.T) {
	accessed(t, walks, wrongWalks)
}
