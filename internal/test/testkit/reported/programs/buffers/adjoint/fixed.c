#include <mpi.h>
#include <stdlib.h>

static double *buffer;

static void send_adjoint(int n, double value, int to, MPI_Request *request)
{
    if (!buffer)
        buffer = malloc(n * sizeof *buffer);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++)
        buffer[i] = value;
    MPI_Isend(buffer, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, request);
}

int main(int argc, char **argv)
{
    int rank, n = 20000;
    double *u = calloc(20000, sizeof *u);
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        send_adjoint(n, 1, 1, &request);
        send_adjoint(n, 2, 1, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(u, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(u, n, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(u);
    free(buffer);
    MPI_Finalize();
    return 0;
}
