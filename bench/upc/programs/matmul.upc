#include <upc.h>
#include "matmul.h"

int main(int argc, char **argv)
{
	char class = class_of(argc, argv);
	int n = matmul_size(class), rows = n / THREADS, first = rows * MYTHREAD;
	size_t band = (size_t)rows * (size_t)n;
	/* A thread's band lies as one piece in its own memory. */
	static shared [] double *shared bs[THREADS], *shared cs[THREADS];
	bs[MYTHREAD] = upc_alloc(band * sizeof(double));
	cs[MYTHREAD] = upc_alloc(band * sizeof(double));
	double *a = malloc(band * sizeof *a), *whole = malloc(band * (size_t)THREADS * sizeof *whole);
	double *b = (double *)bs[MYTHREAD];
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < n; j++) {
			a[i * n + j] = matmul_a(first + i, j);
			b[i * n + j] = matmul_b(first + i, j);
		}
	upc_barrier;
	double start = seconds();
	for (int t = 0; t < THREADS; t++)
		upc_memget(whole + t * band, bs[t], band * sizeof *whole);
	matmul(a, whole, (double *)cs[MYTHREAD], rows, n);
	upc_barrier;
	if (MYTHREAD == 0) {
		double time = seconds() - start;
		int fine = 1;
		for (int k = 0; k < 50; k++) {
			int i = k * 37 % (rows * THREADS), j = k * 91 % n;
			fine &= matmul_verify(cs[i / rows][(i % rows) * n + j], i, j, n);
		}
		report("matmul", class, THREADS, time, fine);
	}
	return 0;
}
