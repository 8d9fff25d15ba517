/* A rank leaves a collective out and comes to the next. */
/* code: collective-mismatch */
/* sentence: Members of MPI_COMM_WORLD call different collectives at the same point: ranks 0, 1 and 3 call MPI_Allreduce */
/* parting: 0 2 MPI_Bcast common; 0 MPI_Allreduce first; 2 MPI_Barrier second */
/* note: the last collective call that the ranks of MPI_COMM_WORLD have in common is MPI_Bcast at main (skipped.c: */
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
    if (rank != 2)
        MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* first */
    MPI_Barrier(MPI_COMM_WORLD); /* second */
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
