/* Rank 0 polls for tag 1, but rank 1 sends tag 2 and nothing else. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, arrived = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!arrived)
            MPI_Iprobe(1, 1, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
