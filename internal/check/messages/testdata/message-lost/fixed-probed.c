/* Rank 1 receives all messages that it has taken with matched probes, in another order; one of them is from nobody. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 0, flag = 0;
    MPI_Message first, second, third, none;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &none, MPI_STATUS_IGNORE);
    if (rank == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Send(&n, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &first, MPI_STATUS_IGNORE);
        MPI_Mprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &second, MPI_STATUS_IGNORE);
        while (!flag)
            MPI_Improbe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &flag, &third, MPI_STATUS_IGNORE);
        MPI_Imrecv(&n, 1, MPI_INT, &third, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Mrecv(&n, 1, MPI_INT, &second, MPI_STATUS_IGNORE);
        MPI_Mrecv(&n, 1, MPI_INT, &first, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
