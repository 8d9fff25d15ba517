#include <mpi.h>

static MPI_Win win;

static void store(int value, int at, int pe)
{
    MPI_Put(&value, 1, MPI_INT, pe, at, 1, MPI_INT, win);
    MPI_Win_flush_local(pe, win);
}

static void fence(int pe)
{
    MPI_Win_flush(pe, win);
}

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    store(rank, rank, 1 - rank);
    fence(1 - rank);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
