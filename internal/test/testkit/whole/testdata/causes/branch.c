/* A rank takes another branch, with another collective. */
/* code: collective-mismatch */
/* sentence: Members of MPI_COMM_WORLD call different collectives at the same point: ranks 0-2 call MPI_Allreduce */
/* parting: 0 3 MPI_Bcast common; 0 MPI_Allreduce first; 3 MPI_Reduce second */
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
    MPI_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_WORLD); /* common */
    if (rank == 3)
        MPI_Reduce(&x, &y, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* second */
    else
        MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* first */
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
