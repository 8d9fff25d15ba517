/* Packed data may be received as what it is made of, and a receive may have more room than the message needs. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 3, place = 0, numbers[3] = {0};
    double x[2] = {0};
    char buffer[64];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Pack(x, 2, MPI_DOUBLE, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
        MPI_Send(buffer, place, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
        MPI_Send(numbers, n - 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(x, 2, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(numbers, n, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
