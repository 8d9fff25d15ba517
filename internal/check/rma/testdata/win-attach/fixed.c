/* Rank 1 accesses what rank 0 attached, at the address that rank 0 sent. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[1] = {0}, got = 0;
    MPI_Aint at;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_attach(win, value, sizeof value);
    MPI_Get_address(value, &at);
    MPI_Bcast(&at, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&got, 1, MPI_INT, 0, at, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_detach(win, value);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
