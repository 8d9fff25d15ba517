/* The fence after the last put is missing, and MPI is finalised with the window. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof value, sizeof value, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* also: rma-conflict leak-win */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize(); /* want: MPI_Win_fence is missing */
    return 0;
}
