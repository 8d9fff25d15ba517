/* Arrays of arrays, pointers to rows, and structs with whole arrays. */
#include "check.h"
#define R 4
#define C 6
static shared [C] int m[R * THREADS][C];
static shared [2] double t[3][THREADS][4];
struct block { int v[8]; };
static shared struct block blocks[2 * THREADS];
void test_arrays(void)
{
	int i, j;
	shared [C] int (*row)[C];
	shared [C] int *flat;
	for (i = MYTHREAD; i < R * THREADS; i += THREADS)
		for (j = 0; j < C; j++)
			m[(i + 1) % (R * THREADS)][j] = (i + 1) % (R * THREADS) * 100 + j;
	upc_barrier;
	for (row = m, i = 0; i < R * THREADS; i++, row++) {
		CHECK(row == &m[i] && (*row)[2] == i * 100 + 2 && row - m == i && row[0][5] == i * 100 + 5);
		CHECK(upc_threadof(row) == i % THREADS && *row == m[i] && *m[i] == i * 100 && **(m + i) == i * 100);
	}
	for (flat = &m[0][0], i = 0; i < R * THREADS * C; i++)
		CHECK(*flat++ == i / C * 100 + i % C);
	row = m; row += 2; CHECK(row == &m[2]); row -= 1; CHECK(row == m + 1 && &row[1] == &m[2]);
	for (i = 0; i < 3; i++)
		for (j = 0; j < THREADS; j++)
			CHECK(&t[i][j][3] - &t[0][0][0] == (i * THREADS + j) * 4 + 3 && upc_phaseof(&t[i][j][3]) == 1);
	CHECK(&t[2] - &t[0] == 2 && &t[1][0] - &t[0][0] == THREADS);
	{
		struct block b = { { 1, 2, 3 } };
		b.v[7] = MYTHREAD;
		blocks[(MYTHREAD + 1) % THREADS] = b;
		upc_barrier;
		b = blocks[MYTHREAD];
		CHECK(b.v[2] == 3 && b.v[7] == (MYTHREAD + THREADS - 1) % THREADS && blocks[MYTHREAD].v[1] == 2);
		blocks[MYTHREAD].v[b.v[0] + 3]++;
		CHECK(blocks[MYTHREAD].v[4] == 1);
	}
	upc_barrier;
}
