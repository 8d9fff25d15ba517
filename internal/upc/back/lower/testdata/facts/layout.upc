/* Elements have the affinity and phase that their block size gives. */
#include "check.h"
#define N 24
static shared int cyclic[N * THREADS];
static shared [5] int five[N * THREADS];
static shared [4] short four[N * THREADS];
static shared [] double all[N];
static shared [*] int spread[N * THREADS];
static shared [3] char odd[7 * THREADS];
static shared [N] int rows[THREADS][N];
static shared [6] int grid[THREADS][4][N];
typedef int ten[10];
static shared [3] ten tens[3 * THREADS];
#define EACH(array, B, count) \
	for (i = 0; i < (count); i++) { \
		CHECK(upc_threadof(&array[i]) == ((B) ? i / ((B) ? (B) : 1) % THREADS : 0)); \
		CHECK(upc_phaseof(&array[i]) == ((B) ? i % ((B) ? (B) : 1) : 0)); \
	}
void test_layout(void)
{
	int i, j, k;
	EACH(cyclic, 1, N * THREADS)
	EACH(five, 5, N * THREADS)
	EACH(four, 4, N * THREADS)
	EACH(all, 0, N)
	EACH(spread, N, N * THREADS)
	EACH(odd, 3, 7 * THREADS)
	for (i = 0; i < THREADS; i++)
		for (j = 0; j < N; j++) {
			CHECK(upc_threadof(&rows[i][j]) == i);
			CHECK(upc_phaseof(&rows[i][j]) == j);
		}
	for (i = 0; i < THREADS; i++)
		for (j = 0; j < 4; j++)
			for (k = 0; k < N; k++) {
				int n = (i * 4 + j) * N + k;
				CHECK(upc_threadof(&grid[i][j][k]) == n / 6 % THREADS);
				CHECK(upc_phaseof(&grid[i][j][k]) == n % 6);
				CHECK(&grid[i][j][k] == &grid[0][0][0] + n);
			}
	for (i = 0; i < 30 * THREADS; i++)
		CHECK(upc_threadof(&tens[i / 10][i % 10]) == i / 3 % THREADS);
	upc_barrier;
}
