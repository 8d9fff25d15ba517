/* Every thread writes elements of others, and reads all back. */
#include "check.h"
static shared int one[64 * THREADS];
static shared [7] double seven[64 * THREADS];
static shared [] long heap[256];
void test_everyone(void)
{
	int n = 64 * THREADS, i;
	for (i = MYTHREAD * 64; i < (MYTHREAD + 1) * 64; i++) {
		one[i] = i * 3;
		seven[n - 1 - i] = i / 2.0;
	}
	for (i = MYTHREAD; i < 256; i += THREADS)
		heap[i] = -i;
	upc_barrier;
	for (i = 0; i < n; i++) {
		CHECK(one[i] == i * 3);
		CHECK(seven[n - 1 - i] == i / 2.0);
	}
	for (i = 0; i < 256; i++)
		CHECK(heap[i] == -i);
	upc_barrier;
}
