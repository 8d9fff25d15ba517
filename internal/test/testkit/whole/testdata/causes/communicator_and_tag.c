/* Both are other ones. */
/* code: deadlock */
/* sentence: Rank 0 sent rank 1 a message with tag 2 on MPI_COMM_WORLD, but rank 1 waits for one with tag 5 on halo.  */
/* hint: use the same tag and the same communicator */
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
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, 1, 2, MPI_COMM_WORLD); /* related */
    else if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 5, halo, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
