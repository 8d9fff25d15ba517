/* The same on a communicator of two ranks, whose others go on. */
/* code: deadlock */
/* sentence: Rank 2 waits in MPI_Barrier for MPI_Barrier by rank 3, which is in MPI_Finalize. */
/* parting: 2 3 MPI_Barrier loop; 2 MPI_Barrier loop; 3 MPI_Finalize end */
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
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    for (int i = 0; i < (rank == 3 ? 4 : 5); i++)
        MPI_Barrier(pair); /* loop */
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
