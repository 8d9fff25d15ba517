/* Rank 0 receives from any source, by a call that argv[1] names. Rank 1 sends, rank 2 does not. */
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0;
    const char *form = argv[argc - 1];
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    }
    if (rank == 0 && strcmp(form, "recv") == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* recv */
    if (rank == 0 && strcmp(form, "probe") == 0)
        MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* probe */
    if (rank == 0 && strcmp(form, "irecv") == 0) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &r[0]); /* irecv */
        MPI_Wait(&r[0], MPI_STATUS_IGNORE); /* wait irecv */
    }
    if (rank == 0 && strcmp(form, "waitall") == 0) {
        MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &r[0]);
        MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &r[1]); /* waitall */
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* wait waitall */
    }
    if (rank == 0 && strcmp(form, "start") == 0) {
        MPI_Recv_init(&x, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &r[0]);
        MPI_Recv_init(&y, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &r[1]);
        MPI_Startall(2, r); /* start */
        MPI_Wait(&r[1], MPI_STATUS_IGNORE); /* wait start */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
