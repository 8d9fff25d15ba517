/* Each of two ranks waits for another tag than it was sent. */
/* code: deadlock */
/* sentence: Ranks 0 and 1 wait for each other: each waits for a message with tag 1 and was sent one with tag 7. */
/* note: but with tag 7, not tag 1 */
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
    if (rank < 2) {
        MPI_Request r;
        MPI_Isend(&x, 1, MPI_INT, other, 7, MPI_COMM_WORLD, &r);
        MPI_Recv(&y, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
