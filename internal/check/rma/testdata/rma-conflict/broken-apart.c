/* run: -n 4 */
/* The two ranks that put have heard of a third one, but not of each other; so has one barrier without one of them. */
#include <mpi.h>

static MPI_Win win;

static void put(int *value, int place)
{
    MPI_Put(value, 1, MPI_INT, 1, place, 1, MPI_INT, win); /* want: Rank 2 calls MPI_Put, which writes bytes 0 to 3 of the window of rank 1; rank 0 writes them with MPI_Put, and nothing orders them */
    MPI_Win_flush(1, win);
}

int main(int argc, char **argv)
{
    int rank, token = 0, *base;
    MPI_Comm apart;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 || rank == 3, 0, &apart);
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3) {
        MPI_Barrier(apart);
        MPI_Send(&token, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 0) {
        MPI_Barrier(apart);
        put(&rank, 0);
    } else if (rank == 2) {
        MPI_Recv(&token, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(&rank, 0);
    }
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&apart);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
