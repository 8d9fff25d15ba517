/* The first collective that a communicator sees is already another one: nothing is in common. */
/* code: collective-mismatch */
/* sentence: Members of halo call different collectives at the same point:  */
/* without: have in common */
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
    if (rank == 3)
        MPI_Barrier(halo);
    else
        MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, halo);
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
