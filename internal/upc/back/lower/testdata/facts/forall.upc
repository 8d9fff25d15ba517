/* upc_forall: which thread runs which iteration, in all forms. */
#include "check.h"
#define N (20 * THREADS)
static shared int who[20 * THREADS];
static shared [4] int who4[20 * THREADS];
static shared [5] int m[4 * THREADS][5];
static int is(int got, int want) { return got == want + 1; }
void test_forall(void)
{
	int i, j, n = 0;
	upc_forall (i = 0; i < N; i++; i) who[i] = MYTHREAD + 1;
	CHECK(i == N);
	upc_barrier;
	for (i = 0; i < N; i++) CHECK(is(who[i], i % THREADS));
	upc_barrier;
	upc_forall (i = 0; i < N; i++; &who4[i]) { who4[i] = MYTHREAD + 1; }
	CHECK(i == N);
	upc_barrier;
	for (i = 0; i < N; i++) CHECK(is(who4[i], i / 4 % THREADS));
	upc_barrier;
	upc_forall (int k = N - 1; k >= 0; k -= 3; k / 2) who[k] = MYTHREAD + 100;
	upc_barrier;
	for (i = 0; i < N; i++) CHECK(who[i] == ((N - 1 - i) % 3 ? i % THREADS + 1 : i / 2 % THREADS + 100));
	upc_barrier;
	upc_forall (i = 0; i < N; i++; continue) n++;
	CHECK(n == N);
	upc_forall (i = 0; i < N; i++;) n--;
	CHECK(n == 0);
	upc_forall (i = 0; i < 4 * THREADS; i++; &m[i][0])
		for (j = 0; j < 5; j++)
			m[i][j] = MYTHREAD + 1;
	upc_barrier;
	for (i = 0; i < 4 * THREADS; i++)
		for (j = 0; j < 5; j++) CHECK(is(m[i][j], i % THREADS));
	upc_forall (i = 0, j = N; i < j; i++, j--; i + 1) {
		if (i % 3 == 0)
			continue;
		n++;
		CHECK((i + 1) % THREADS == MYTHREAD);
	}
	CHECK(i >= j);
	upc_forall (;0;; MYTHREAD) CHECK(0);
	upc_forall (i = 5; i < 3; i++; i) CHECK(0);
	CHECK(i == 5);
	upc_barrier;
}
