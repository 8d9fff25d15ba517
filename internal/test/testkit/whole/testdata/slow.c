#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* Rank 0 sends to rank 1 in every way; both say which of their sends took less than the milliseconds that are given. */
#define SENDS(call) \
    do { \
        double begun = MPI_Wtime(); \
        call; \
        if (MPI_Wtime() - begun < least) \
            printf("rank %d: %s is quick\n", rank, #call); \
    } while (0)
#define TO 1 - rank, 1, MPI_COMM_WORLD

int main(int argc, char **argv)
{
    int rank, x = 1, y = 0;
    double least = argc > 1 ? atoi(argv[1]) / 1e3 : 0;
    static char space[4096];
    int into[8];
    MPI_Request r, in[8];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(space, sizeof space);
    for (int i = 0; i < 8; i++)
        MPI_Irecv(&into[i], 1, MPI_INT, TO, &in[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    SENDS(MPI_Send(&x, 1, MPI_INT, TO));
    SENDS(MPI_Ssend(&x, 1, MPI_INT, TO));
    SENDS(MPI_Rsend(&x, 1, MPI_INT, TO));
    SENDS(MPI_Bsend(&x, 1, MPI_INT, TO));
    SENDS(MPI_Isend(&x, 1, MPI_INT, TO, &r));
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    SENDS(MPI_Issend(&x, 1, MPI_INT, TO, &r));
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Send_init(&x, 1, MPI_INT, TO, &r);
    SENDS(MPI_Start(&r));
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Request_free(&r);
    MPI_Send(&x, 1, MPI_INT, TO);
    MPI_Waitall(8, in, MPI_STATUSES_IGNORE);
    SENDS(MPI_Sendrecv(&x, 1, MPI_INT, 1 - rank, 1, &y, 1, MPI_INT, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    MPI_Buffer_detach(&(void *){NULL}, &y);
    printf("rank %d has sent\n", rank);
    MPI_Finalize();
    return 0;
}
