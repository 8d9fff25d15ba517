#include <mpi.h>
#include "ep.h"

int main(int argc, char **argv)
{
	int me, threads;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	long batches = 1L << (ep_log(class) - EP_BATCH_LOG);
	struct ep_sums mine = { 0 }, all = { 0 };
	MPI_Barrier(MPI_COMM_WORLD);
	double start = seconds();
	for (long k = me; k < batches; k += threads)
		ep_batch(k, &mine);
	MPI_Reduce(&mine, &all, sizeof mine / sizeof(double), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (me == 0)
		report("ep", class, threads, seconds() - start, ep_verify(class, &all));
	MPI_Finalize();
	return 0;
}
