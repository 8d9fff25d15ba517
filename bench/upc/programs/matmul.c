#include <mpi.h>
#include "matmul.h"

int main(int argc, char **argv)
{
	int me, threads;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	int n = matmul_size(class), rows = n / threads, first = rows * me, fine = 1, all;
	size_t band = (size_t)rows * (size_t)n;
	double *a = malloc(band * sizeof *a), *b = malloc(band * sizeof *b), *c = malloc(band * sizeof *c);
	double *whole = malloc(band * (size_t)threads * sizeof *whole);
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < n; j++) {
			a[i * n + j] = matmul_a(first + i, j);
			b[i * n + j] = matmul_b(first + i, j);
		}
	MPI_Barrier(MPI_COMM_WORLD);
	double start = seconds();
	MPI_Allgather(b, (int)band, MPI_DOUBLE, whole, (int)band, MPI_DOUBLE, MPI_COMM_WORLD);
	matmul(a, whole, c, rows, n);
	MPI_Barrier(MPI_COMM_WORLD);
	double time = seconds() - start;
	for (int k = 0; k < 50; k++) {
		int i = k * 37 % (rows * threads), j = k * 91 % n;
		if (i / rows == me)
			fine &= matmul_verify(c[(i % rows) * n + j], i, j, n);
	}
	MPI_Reduce(&fine, &all, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
	if (me == 0)
		report("matmul", class, threads, time, all);
	MPI_Finalize();
	return 0;
}
