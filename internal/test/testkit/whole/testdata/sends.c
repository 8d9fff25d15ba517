/* Both ranks send a small message before they receive one: it works as long as MPI buffers. argv[1] says how they send. Each
   has made one send before, to nobody. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, other, x = 7, y = 0;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    if (strcmp(argv[argc - 1], "send") == 0) {
        MPI_Send(&x, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    } else if (strcmp(argv[argc - 1], "isend") == 0) {
        MPI_Isend(&x, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    } else if (strcmp(argv[argc - 1], "sendrecv") == 0) {
        MPI_Sendrecv(&x, 1, MPI_INT, other, 1, &y, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(argv[argc - 1], "replace") == 0) {
        MPI_Sendrecv_replace(&x, 1, MPI_INT, other, 1, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send_init(&x, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &r);
        MPI_Start(&r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        MPI_Request_free(&r);
    }
    MPI_Recv(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (x == y && rank == 0)
        printf("all received\n");
    MPI_Finalize();
    return 0;
}
