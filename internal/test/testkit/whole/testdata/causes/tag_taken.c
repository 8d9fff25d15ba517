/* What has another tag is for a receive that is posted, so nothing nearly fits. */
/* code: deadlock */
/* sentence: Ranks 0 and 1 wait for each other:  */
/* without: nearest miss */
/* without: tag 7, but */
/* parting: 0 1 MPI_Comm_dup dup; 0 MPI_Barrier barrier; 1 MPI_Recv receive */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0, y = 0, other;
    MPI_Comm halo;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &halo); /* dup */
    MPI_Comm_set_name(halo, "halo");
    other = rank ^ 1;
    MPI_Request r;
    if (rank == 0) {
        MPI_Send(&x, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Irecv(&y, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &r);
        MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* receive */
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* barrier */
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
