#include <stdio.h>
#include <stdlib.h>
static void fill(int r, int c, double (*m)[c]) { for (int i = 0; i < r; i++) for (int j = 0; j < c; j++) m[i][j] = i + j / 10.0; }
int main(void) {
	int r = 3, c = 5;
	double (*m)[c] = malloc(sizeof(double[r][c]));
	fill(r, c, m);
	printf("%g %zu %td\n", m[2][4], sizeof *m, &m[2][4] - &m[2][0]);
	double (*p)[c] = m + 1;
	p++;
	printf("%g\n", (*p)[1]);
	free(m);
	return 0;
}
