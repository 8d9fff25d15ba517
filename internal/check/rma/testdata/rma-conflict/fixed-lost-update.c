/* run: -n 3 */
/* The same, with a lock that one rank at a time has. */
#include <mpi.h>

enum { ROUNDS = 3, BINS = 8 };

int main(int argc, char **argv)
{
    int rank, *bins, n;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank == 0 ? BINS * sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &bins, &win);
    if (rank == 0)
        for (int i = 0; i < BINS; i++)
            bins[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    /* One counter. */
    if (rank > 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&n, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        n++;
        MPI_Put(&n, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* A histogram. */
    for (int i = 0; i < ROUNDS && rank > 0; i++) {
        int bin = 1 + (i + rank) % 4;
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&n, 1, MPI_INT, 0, bin, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        n++;
        MPI_Put(&n, 1, MPI_INT, 0, bin, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
