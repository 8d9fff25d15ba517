#include <stdio.h>
#define N 8
static double a[N][N], b[N][N], c[N][N];
int main(void) {
	for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = i - j, b[i][j] = (i == j) * 2 + 0.5;
	for (int i = 0; i < N; i++) for (int k = 0; k < N; k++) for (int j = 0; j < N; j++) c[i][j] += a[i][k] * b[k][j];
	double t = 0;
	for (double *p = c[3], *e = p + N; p < e; p++) t += *p;
	for (double (*r)[N] = c; r < c + N; r++) t += (*r)[r - c];
	printf("%g %g %g\n", c[0][7], c[5][2], t);
	return 0;
}
