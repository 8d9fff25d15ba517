/* A request is waited for, which was started elsewhere; messages that were received are none that nearly fit. */
/* code: deadlock */
/* sentence: Rank 0 sent rank 1 a message with tag 7, but rank 1 waits for one with tag 1.  */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0, other;
    MPI_Comm halo;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &halo);
    MPI_Comm_set_name(halo, "halo");
    other = rank ^ 1;
    MPI_Request r;
    if (rank == 0) {
        for (int i = 0; i < 5; i++)
            MPI_Send(&x, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD); /* related */
    } else if (rank == 1) {
        for (int i = 0; i < 6; i++) {
            MPI_Irecv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
