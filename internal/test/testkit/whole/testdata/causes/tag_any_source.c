/* The receive is from any source, and one rank has sent a message. */
/* code: deadlock */
/* sentence: Rank 2 sent rank 0 a message with tag 3, but rank 0 waits for one with tag 4.  */
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
    if (rank == 2)
        MPI_Send(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD); /* related */
    else if (rank == 0)
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
