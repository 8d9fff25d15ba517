/* Two ranks send each other long messages before they receive, which needs a copy of one of them. Run with the form of the send. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 18 };
static int out[2 * N], in[N];

int main(int argc, char **argv)
{
    int rank, wrong = 0;
    MPI_Datatype every;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(N, 1, 2, MPI_INT, &every); /* every second one */
    MPI_Type_commit(&every);
    const char *form = argc > 1 ? argv[1] : "send";
    int other = 1 - rank;
    for (int i = 0; i < N; i++)
        out[2 * i] = rank * N + i;
    if (strcmp(form, "isend") == 0) {
        MPI_Isend(out, 1, every, other, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
    } else if (strcmp(form, "init") == 0) {
        MPI_Send_init(out, 1, every, other, 1, MPI_COMM_WORLD, &r[0]);
        MPI_Start(&r[0]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        MPI_Request_free(&r[0]);
    } else if (strcmp(form, "startall") == 0) {
        MPI_Recv_init(in, N, MPI_INT, other, 2, MPI_COMM_WORLD, &r[0]);
        MPI_Send_init(out, 1, every, other, 1, MPI_COMM_WORLD, &r[1]);
        MPI_Startall(2, r);
        MPI_Wait(&r[1], MPI_STATUS_IGNORE);
        MPI_Cancel(&r[0]);
        MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        for (int i = 0; i < 2; i++)
            MPI_Request_free(&r[i]);
    } else if (strcmp(form, "sendrecv") == 0 && rank == 0) {
        MPI_Sendrecv(out, 1, every, other, 1, in, 1, MPI_INT, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(form, "replace") == 0 && rank == 0) {
        MPI_Sendrecv_replace(out, 1, every, other, 1, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        if (strcmp(form, "sendrecv") == 0)
            MPI_Send(&rank, 1, MPI_INT, other, 3, MPI_COMM_WORLD);
        if (strcmp(form, "replace") == 0)
            MPI_Send(out, 1, every, other, 3, MPI_COMM_WORLD);
        MPI_Send(out, 1, every, other, 1, MPI_COMM_WORLD);
    }
    memset(out, 1, sizeof out); /* the send is over */
    MPI_Recv(in, N, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < N; i++)
        wrong += in[i] != other * N + i;
    printf("rank %d: %d wrong\n", rank, wrong);
    MPI_Type_free(&every);
    MPI_Finalize();
    return 0;
}
