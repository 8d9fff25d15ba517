// reported: kokkos/kokkos-remote-spaces PR 51, each access locks and unlocks the window, and a fence flushes it afterwards
#include <mpi.h>

static MPI_Win win;

static void store(int value, int at, int pe)
{
    MPI_Win_lock(MPI_LOCK_SHARED, pe, 0, win);
    MPI_Put(&value, 1, MPI_INT, pe, at, 1, MPI_INT, win);
    MPI_Win_unlock(pe, win);
}

static void fence(int pe)
{
    MPI_Win_flush(pe, win); // want: rma-epoch-order: MPI_Win_flush
}

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    store(rank, rank, 1 - rank);
    fence(1 - rank);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
// also: call-failed rank-died
