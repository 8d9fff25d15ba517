/* Wrong: the ranks call the barrier and the broadcast in opposite order; some MPIs hang, others go on. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD); /* rank 0 calls this first */
        MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
    } else {
        MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD); /* rank 1 calls this first */
        MPI_Barrier(MPI_COMM_WORLD);
    }

    MPI_Finalize();
    return 0;
}
