/* run: -n 3 */
/* Whoever probes reads in the status whose message it is, and receives that one; a matched probe takes it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value;
    MPI_Status status;
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int n = 0; n < 2; n++) {
            MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
            MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        for (int n = 0; n < 2; n++) {
            MPI_Mprobe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &message, &status);
            MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        }
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
