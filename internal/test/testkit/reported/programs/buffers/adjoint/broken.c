/* reported: XBraid/xbraid PR 12, the buffer of the adjoint is packed and sent again before the send before it is complete */
#include <mpi.h>
#include <stdlib.h>

static double *buffer;

static void send_adjoint(int n, double value, int to, MPI_Request *request)
{
    if (!buffer)
        buffer = malloc(n * sizeof *buffer);
    for (int i = 0; i < n; i++)
        buffer[i] = value;
    MPI_Isend(buffer, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, request); /* want: sent-buffer-modified: MPI_Isend */
    /* hint: complete the operation before writing to its buffer */
}

int main(int argc, char **argv)
{
    int rank, n = 20000;
    double *u = calloc(20000, sizeof *u);
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        send_adjoint(n, 1, 1, &requests[0]);
        send_adjoint(n, 2, 1, &requests[1]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(u, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(u, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(u);
    free(buffer);
    MPI_Finalize();
    return 0;
}
