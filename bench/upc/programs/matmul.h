/* C = A B of square matrices; each thread has a band of rows of all three. */
#ifndef MATMUL_H
#define MATMUL_H
#include "common.h"
static int matmul_size(char class) { return class == 'S' ? 256 : class == 'W' ? 512 : class == 'A' ? 1024 : 2048; }

static double matmul_a(int i, int j) { return (i * 3 + j) % 7 - 3; }
static double matmul_b(int i, int j) { return (i + j * 5) % 11 - 5; }

static void matmul(const double *restrict a, const double *restrict b, double *restrict c, int rows, int n)
{
	memset(c, 0, (size_t)rows * (size_t)n * sizeof *c);
	for (int i = 0; i < rows; i++)
		for (int k = 0; k < n; k++) {
			double x = a[(long)i * n + k];
			for (int j = 0; j < n; j++)
				c[(long)i * n + j] += x * b[(long)k * n + j];
		}
}

static int matmul_verify(double got, int i, int j, int n)
{
	double want = 0;
	for (int k = 0; k < n; k++)
		want += matmul_a(i, k) * matmul_b(k, j);
	return got == want;
}
#endif
