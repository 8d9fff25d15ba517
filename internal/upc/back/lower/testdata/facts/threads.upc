/* THREADS and MYTHREAD in expressions, and variable-length private arrays of THREADS elements. */
#include "check.h"
#ifdef __UPC_STATIC_THREADS__
static int table[THREADS] = { [THREADS - 1] = 5 };
enum { COUNT = THREADS * 2 };
struct sized { char c[THREADS]; };
#endif
static shared int seen[THREADS];
void test_threads(void)
{
	int count[THREADS], i, sum = 0;
	shared int *list[THREADS];
	for (i = 0; i < THREADS; i++) {
		count[i] = i;
		list[i] = &seen[i];
	}
	*list[MYTHREAD] = MYTHREAD + 1;
	upc_barrier;
	for (i = 0; i < THREADS; i++)
		sum += *list[i] + count[i];
	CHECK(sum == THREADS * THREADS);
	CHECK(sizeof count == THREADS * sizeof(int) && sizeof list == THREADS * sizeof list[0]);
	CHECK(0 <= MYTHREAD && MYTHREAD < THREADS && THREADS / THREADS == 1 && -THREADS < 0);
	CHECK(UPC_MAX_BLOCK_SIZE >= 65536);
#ifdef __UPC_STATIC_THREADS__
	CHECK(table[THREADS - 1] == 5 && COUNT == 2 * THREADS && sizeof(struct sized) == THREADS);
	switch (MYTHREAD) { case THREADS: CHECK(0); break; default: break; }
#endif
	upc_barrier;
}
