/* Loops that reach elements of blocks in step with their variable see the same elements as others do. */
#include "check.h"
#define N (15 * THREADS)
static shared [5] int a[15 * THREADS];
static shared [3] double m[4][3 * THREADS];
static shared [4] int *shared list;
struct s { int k; int v[3]; };
static shared [2] struct s r[6 * THREADS];
void test_cursors(void)
{
	int i, j, n = 0, sum = 0;
	shared [5] int *p;
	long k;
	if (MYTHREAD == 0) {
		for (i = 0; i < N; i++)
			a[i] = i;
		for (i = 0; i < 4; i++)
			for (j = 0; j < 3 * THREADS; j++)
				m[i][j] = i * 100 + j;
		for (i = 0; i < 6 * THREADS; i++) {
			r[i].k = i;
			r[i].v[i % 3] = -i;
		}
	}
	upc_barrier;
	for (i = 1; i < N - 2; ++i) {
		if (i % 4 == 0)
			continue;
		sum = a[i - 1] + a[i] * 1000 + a[2 + i];
		CHECK(sum == i - 1 + i * 1000 + i + 2);
	}
	for (p = &a[7], i = -7; i < N - 7; i++)
		n += p[i] == i + 7;
	CHECK(n == N);
	for (k = 0, n = 0; k < N; k++) {
		n += a[k];
		if (n > 20)
			break;
	}
	CHECK(n == (N > 6 ? 21 : n));
	for (i = 0; i < 4; i++)
		for (j = 0; j < 3 * THREADS; j++)
			CHECK(m[i][j] == i * 100 + j && &m[i][j] == &m[0][0] + (i * 3 * THREADS + j) && upc_phaseof(&m[i][j]) == (i * 3 * THREADS + j) % 3);
	for (int q = 0; q < 6 * THREADS; q++)
		CHECK(r[q].k == q && r[q].v[q % 3] == -q);
	for (i = 0; i < N; i++) {
		sum = a[i];
		i += 2;
		CHECK(a[i] == sum + 2);
	}
	for (p = a, i = 0; i < 5; i++, p++)
		CHECK(p[i] == 2 * i);
	upc_barrier;
	for (i = MYTHREAD; i < N; i += THREADS)
		a[i] *= 2;
	upc_barrier;
	for (i = 0; i < N; i++) {
		CHECK(a[i] == 2 * i);
		p = &a[i];
		CHECK(p - a == i && upc_phaseof(p) == i % 5);
	}
	upc_barrier;
	list = (shared [4] int *)upc_all_alloc(THREADS, 8 * sizeof(int));
	upc_barrier;
	for (i = 0; MYTHREAD == 0 && i < 8 * THREADS; i++)
		list[i] = i;
	upc_barrier;
	for (i = 0; i < 8 * THREADS; i++)
		CHECK(list[i] == i);
	upc_barrier;
	if (MYTHREAD == 0)
		upc_free(list);
	upc_barrier;
}
