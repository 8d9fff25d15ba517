/* Loops that copy elements of blocks to private memory and back, where the run-time may copy runs. */
#include "check.h"
#define N (21 * THREADS)
static shared [7] int a[21 * THREADS], b[21 * THREADS];
static shared [] double all[40];
static shared [2] struct { short s; char c[3]; } recs[10 * THREADS];
static int back[21 * 64];
void test_runs(void)
{
	int i, mine[N];
	double d[40], *pd = d;
	shared [7] int *p = &a[5];
	for (i = 0; i < N; i++)
		mine[i] = i * 3 + 1;
	if (MYTHREAD == THREADS - 1) {
		for (i = 0; i < N; i++)
			a[i] = mine[i];
		CHECK(i == N);
		for (int k = 2; k <= 30; ++k)
			all[k + 1] = pd[k] = k / 2.0;
		for (int k = 2; k <= 30; ++k)
			all[k] = pd[k];
	}
	upc_barrier;
	for (i = 0; i < N; i++)
		back[i] = a[i];
	for (i = 0; i < N; i++)
		CHECK(back[i] == i * 3 + 1);
	for (i = 3; i < N - 5; i++) {
		back[i - 3] = p[i];
	}
	CHECK(i == (N > 8 ? N - 5 : 3));
	for (i = 3; i < N - 5; i++)
		CHECK(back[i - 3] == (i + 5) * 3 + 1);
	for (int k = 0; k < 29; k++)
		pd[k] = all[k + 2];
	for (i = 0; i < 29; i++)
		CHECK(d[i] == (i + 2) / 2.0);
	for (i = 9; i < 4; i++)
		back[i] = a[i];
	CHECK(i == 9);
	upc_barrier;
	if (MYTHREAD == 0) {
		/* The private side is shared memory here: each copy sees the one before. */
		int *local = (int *)&b[0];
		b[0] = 77;
		for (i = 0; i < 6; i++)
			local[i + 1] = b[i];
		for (i = 0; i < 7; i++)
			CHECK(b[i] == 77);
	}
	upc_barrier;
	for (i = 0; i < 10 * THREADS; i++)
		recs[i].s = (short)i;
	upc_barrier;
	for (i = 0; i < 10 * THREADS; i++)
		CHECK(recs[i].s == i);
	upc_barrier;
}
