/* The same with a synchronous send, which waits too. */
/* code: deadlock */
/* sentence: Rank 2 sent rank 3 a message with tag 7, but rank 3 waits for one with tag 1. Ranks 2 and 3 wait for each other: rank 2 is in MPI_Ssend and rank 3 is in MPI_Recv. */
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
        MPI_Ssend(&x, 1, MPI_INT, 3, 7, MPI_COMM_WORLD); /* related */
    else if (rank == 3)
        MPI_Recv(&x, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
