/* Affinity loops whose own iterations are known beforehand, and those that only look so. */
#include "check.h"
#define N (24 * THREADS)
struct cell { int n; double w[2]; shared int *to; };
static shared int one[24 * THREADS], two[25 * THREADS];
static shared [6] int six[24 * THREADS], other[24 * THREADS];
static shared [4] int four[24 * THREADS];
static shared [8] double rows[3 * THREADS][8], half[6 * THREADS][4];
static shared [3] struct cell cells[24 * THREADS];
static shared [] int heap[24];
static shared [6] int *global;
static int limit = 5;
static void set(shared [6] int *p, int n, int v)
{
	int i;
	upc_forall (i = 0; i < n; i++; &p[i])
		p[i] = v + i;
}
static void every(int v)
{
	upc_forall (int i = 0; i < N; i++; &six[i])
		six[i] = v;
}
void test_affinity(void)
{
	int i, j, n, last = N - 1;
	unsigned u;
	upc_forall (i = 1; i <= last; i++; i - 1) one[i] = MYTHREAD;
	CHECK(i == N);
	upc_barrier;
	for (i = 1; i < N; i++) CHECK(one[i] == (i - 1) % THREADS);
	upc_barrier;
	upc_forall (i = -7; i < 12; i++; i + 2) CHECK(((i + 2) % THREADS + THREADS) % THREADS == MYTHREAD);
	upc_forall (i = -7; i < 12; i += 1 + (i & 1); 3 * i - 1) CHECK(((3 * i - 1) % THREADS + THREADS) % THREADS == MYTHREAD);
	upc_forall (unsigned long k = -9UL; k < -1UL; k += 2; k) CHECK(k % THREADS == (unsigned long)MYTHREAD);
	upc_barrier;
	upc_forall (i = 3; i < N; i++; 2 + i) two[2 + i] = two[i + 2] + 10 + MYTHREAD;
	upc_barrier;
	for (i = 3; i < N; i++) CHECK(two[i + 2] == 10 + (i + 2) % THREADS);
	upc_barrier;
	upc_forall (i = 2; i < N - 3; i++; &six[i + 1]) {
		six[i + 1] = i;
		other[i + 1] = six[i + 1] + MYTHREAD;
		four[i] = i;
		other[0] = -1;
	}
	upc_barrier;
	for (i = 2; i < N - 3; i++) CHECK(six[i + 1] == i && other[i + 1] == i + (i + 1) / 6 % THREADS && four[i] == i);
	CHECK(other[0] == -1 || N < 6);
	upc_barrier;
	upc_forall (u = 0; u < N; u++; &six[u]) six[u] = (int)u + 7;
	upc_forall (long k = 0; k < N; ++k; six + k) six[k] -= 7;
	upc_barrier;
	for (i = 0; i < N; i++) CHECK(six[i] == i);
	upc_barrier;
	set(six, N, 100); upc_barrier;
	for (i = 0; i < N; i++) CHECK(six[i] == 100 + i);
	upc_barrier;
	set(&six[4], N - 4, 200); upc_barrier;
	for (i = 0; i < N - 4; i++) CHECK(six[i + 4] == 200 + i);
	upc_barrier;
	global = &six[9 % N];
	n = N - 9 % N;
	upc_forall (i = 0; i < n; i++; &global[i]) {
		global[i] = i;
		other[i] = i * 2;
	}
	upc_barrier;
	for (i = 0; i < n; i++) CHECK(six[i + 9 % N] == i && other[i] == i * 2);
	upc_barrier;
	upc_forall (i = 0; i < 3 * THREADS; i++; &rows[i][0])
		for (j = 0; j < 8; j++) {
			rows[i][j] = i + j / 10.0;
			half[2 * i][j % 4] = MYTHREAD;
		}
	upc_barrier;
	upc_forall (i = 0; i < 6 * THREADS; i++; &half[i][3])
		for (j = 0; j < 4; j++)
			half[i][j] += 1 + i;
	upc_barrier;
	for (i = 0; i < 3 * THREADS; i++)
		for (j = 0; j < 8; j++) CHECK(rows[i][j] == i + j / 10.0 && half[2 * i][j % 4] == i % THREADS + 1 + 2 * i);
	upc_forall (i = 0; i < N; i++; &cells[i]) {
		cells[i].n = i;
		cells[i].n++;
		cells[i].w[i % 2] += i;
		cells[i].to = &one[i];
		cells[i].to++;
		--cells[i].to;
	}
	upc_barrier;
	upc_forall (i = 0; i < N; i++; &cells[i].n) {
		struct cell c = cells[i];
		CHECK(c.n == i + 1 && c.w[i % 2] == i && c.to == &one[i] && &cells[i].to != NULL);
	}
	upc_barrier;
	upc_forall (i = 0; i < 24; i++; &heap[i]) heap[i] = MYTHREAD + 5;
	upc_barrier;
	for (i = 0; i < 24; i++) CHECK(heap[i] == 5);
	n = 0;
	upc_forall (i = 0; i < limit; i++; i) { limit = 3; n++; }
	CHECK(i == 3 || i == 5 || THREADS > 1);
	upc_forall (i = 0; i < N; i++; &one[i]) { if (i % 2) i++; }
	upc_barrier;
	upc_forall (i = 0; i < 2; i++; i)
		every(i + 40);
	upc_barrier;
	for (i = 0; i < N; i++) CHECK(six[i] == 40 || six[i] == 41);
	upc_barrier;
}
