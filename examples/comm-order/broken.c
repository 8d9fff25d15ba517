/* Wrong: rank 0 enters the barrier of `first`, rank 1 that of `second`. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    if (rank == 0) {
        MPI_Barrier(first); /* rank 0 waits here */
        MPI_Barrier(second);
    } else {
        MPI_Barrier(second); /* rank 1 waits here */
        MPI_Barrier(first);
    }
    MPI_Comm_free(&second);
    MPI_Comm_free(&first);

    MPI_Finalize();
    return 0;
}
