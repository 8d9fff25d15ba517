/* The buffer is filled for the next message when the last one is complete. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2] = {1, 2}, got[2];
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(value, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r);
    MPI_Recv(got, 2, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    value[1] = 3;
    MPI_Finalize();
    return 0;
}
