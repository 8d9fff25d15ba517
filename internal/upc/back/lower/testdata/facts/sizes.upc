/* sizeof, upc_localsizeof, upc_blocksizeof and upc_elemsizeof of objects, types and expressions. */
#include "check.h"
static shared int a[10 * THREADS];
static shared [4] double b[10 * THREADS];
static shared [] char c[33];
static shared [*] short d[6 * THREADS];
static shared long x;
typedef shared [8] int type[16 * THREADS];
void test_sizes(void)
{
	size_t n = THREADS;
	shared [4] double *p = b;
	int i = 0;
	CHECK(sizeof a == 10 * n * sizeof(int) && sizeof(b) == 80 * n && sizeof c == 33 && sizeof d == 12 * n && sizeof x == 8);
	CHECK(upc_localsizeof(a) == 40 && upc_localsizeof b == 96 || THREADS > 1);
	CHECK(upc_blocksizeof(a) == 1 && upc_blocksizeof(b) == 4 && upc_blocksizeof c == 0 && upc_blocksizeof d == 6);
	CHECK(upc_elemsizeof(a) == 4 && upc_elemsizeof b == 8 && upc_elemsizeof(c) == 1 && upc_elemsizeof(type) == 4);
	CHECK(upc_blocksizeof(type) == 8 && sizeof(type) == 64 * n && upc_localsizeof(c) == 33);
	CHECK(sizeof a[i++] == 4 && i == 0 && sizeof *p == 8 && sizeof(*p++) == 8 && p == b && sizeof(shared int) == 4);
	CHECK(sizeof p == sizeof(shared void *) && sizeof(shared [4] double *) == sizeof p && upc_elemsizeof(*p) == 8);
	CHECK(sizeof a / sizeof a[0] == 10 * n && sizeof(a) / n == 40);
	upc_barrier;
}
