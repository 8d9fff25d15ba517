#include <mpi.h>

/* If rank 2 comes first, rank 0 polls for a message that nobody sends. */
int main(int argc, char **argv)
{
    int rank, x = 0, flag = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        while (status.MPI_SOURCE == 2 && !flag)
            MPI_Iprobe(1, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else {
        if (rank == 2)
            MPI_Recv(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 1)
            MPI_Send(&x, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
