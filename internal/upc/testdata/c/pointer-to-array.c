#include <stdio.h>
static int sum(int (*a)[3], int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < 3; j++) s += a[i][j]; return s; }
static void set(int (*row)[3], int v) { for (int j = 0; j < 3; j++) (*row)[j] = v++; }
int main(void) {
	int m[4][3], (*p)[3] = m, cube[2][2][2] = { { { 1, 2 }, { 3, 4 } }, { { 5 } } };
	for (int i = 0; i < 4; i++) set(p++, i * 10);
	int (*c)[2][2] = cube;
	printf("%d %td %d %d %zu\n", sum(m, 4), p - m, c[0][1][1], (*(c + 1))[0][0], sizeof *c);
	return 0;
}
