/* The message is on another communicator; its sender has finished but for a collective on that. */
/* code: deadlock */
/* sentence: Rank 0 sent rank 1 a message on halo, but rank 1 waits for one on MPI_COMM_WORLD.  */
/* hint: use the same communicator */
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
        MPI_Send(&x, 1, MPI_INT, 1, 0, halo); /* related */
    else if (rank == 1)
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
