#include <mpi.h>
#include "stream.h"
static double *a, *b, *c;

int main(int argc, char **argv)
{
	int me, threads;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	long i, n = (long)STREAM_BLOCKS(class) * STREAM_BLOCK;
	a = malloc((size_t)n * sizeof *a);
	b = malloc((size_t)n * sizeof *b);
	c = malloc((size_t)n * sizeof *c);
	for (i = 0; i < n; i++) {
		a[i] = 1;
		b[i] = 2;
		c[i] = 0;
	}
	MPI_Barrier(MPI_COMM_WORLD);
	double start = seconds();
	for (int k = 0; k < STREAM_TIMES; k++) {
		for (i = 0; i < n; i++)
			c[i] = a[i];
		for (i = 0; i < n; i++)
			b[i] = 0.25 * c[i];
		for (i = 0; i < n; i++)
			c[i] = a[i] + b[i];
		for (i = 0; i < n; i++)
			a[i] = b[i] + 0.5 * c[i];
	}
	MPI_Barrier(MPI_COMM_WORLD);
	if (me == 0)
		report("stream", class, threads, seconds() - start, stream_verify(a[n - 1], b[n / 2], c[0]));
	MPI_Finalize();
	return 0;
}
