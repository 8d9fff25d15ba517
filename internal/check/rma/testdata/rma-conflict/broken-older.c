/* run: -n 4 */
/* Rank 2 has word of the first put of rank 0, but not of the second one. */
#include <mpi.h>

static int value = 1;
static MPI_Win win;

static void put(void)
{
    MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Put, which writes bytes 0 to 3 of the window of rank 1; rank 0 writes them with MPI_Put, and nothing orders them */
    MPI_Win_flush(1, win);
}

int main(int argc, char **argv)
{
    int rank, *base;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        put();
        MPI_Send(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
        put();
    } else if (rank == 3) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put();
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
