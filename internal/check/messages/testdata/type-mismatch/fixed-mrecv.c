/* run: -n 3 */
/* What matched probes find is received as it was sent, with room to spare; messages wait while others are received. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double mass[4] = {1, 2, 3, 4};
    MPI_Message first, second;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Isend(mass, 4, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        MPI_Mprobe(1, 2, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
        MPI_Mprobe(1, 1, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
        MPI_Mrecv(&rank, 1, MPI_INT, &second, MPI_STATUS_IGNORE);
        MPI_Imrecv(mass, 4, MPI_DOUBLE, &first, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Mprobe(MPI_PROC_NULL, 1, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
        MPI_Mrecv(mass, 0, MPI_CHAR, &first, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
