/* run: -n 3 */
/* Two ranks get a value, add to it and put it back under locks that both may have: one of the updates may be lost. What a rank has got orders nothing, as
   nothing keeps the other one from writing it meanwhile. */
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
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    /* One counter. */
    if (rank > 0) {
        MPI_Get(&n, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Get, which reads bytes 0 to 3 of the window of rank 0; rank 1 writes them with MPI_Put, and nothing orders them */
        MPI_Win_flush(0, win);
        n++; /* note: one change may be lost: use MPI_Accumulate */
        MPI_Put(&n, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Put, which writes bytes 0 to 3 of the window of rank 0; rank 1 writes them with MPI_Put, and nothing orders them */
        MPI_Win_flush(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* A histogram. */
    for (int i = 0; i < ROUNDS && rank > 0; i++) {
        int bin = 1 + (i + rank) % 4;
        MPI_Get(&n, 1, MPI_INT, 0, bin, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Get, which reads bytes */
        MPI_Win_flush(0, win);
        n++;
        MPI_Put(&n, 1, MPI_INT, 0, bin, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Put, which writes bytes */
        MPI_Win_flush(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
