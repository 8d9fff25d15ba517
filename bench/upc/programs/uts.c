#include <mpi.h>
#include "uts.h"

int main(int argc, char **argv)
{
	int me, threads, t, hand = UTS_HAND, *next;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &threads);
	char class = class_of(argc, argv);
	int trees = uts_trees(class);
	long mine = 0, all = 0;
	MPI_Win win;
	MPI_Win_allocate(me == 0 ? sizeof *next : 0, sizeof *next, MPI_INFO_NULL, MPI_COMM_WORLD, &next, &win);
	if (me == 0)
		*next = 0;
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Win_lock_all(0, win);
	double start = seconds();
	for (;;) {
		MPI_Fetch_and_op(&hand, &t, MPI_INT, 0, 0, MPI_SUM, win);
		MPI_Win_flush(0, win);
		if (t >= trees)
			break;
		for (int k = 0; k < UTS_HAND; k++, t++)
			mine += uts_count(uts_hash((uint64_t)t));
	}
	MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
	double time = seconds() - start;
	MPI_Win_unlock_all(win);
	if (me == 0) {
		if (argc > 2)
			printf("%ld\n", all);
		report("uts", class, threads, time, all == uts_nodes(class));
	}
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
