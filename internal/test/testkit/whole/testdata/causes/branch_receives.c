/* A rank takes another branch, in which it receives. */
/* code: deadlock */
/* sentence: Ranks 0 and 3 wait for each other: rank 0 is in MPI_Barrier on MPI_COMM_WORLD and rank 3 is in MPI_Recv. */
/* parting: 0 3 MPI_Bcast common; 0 MPI_Barrier first; 3 MPI_Recv second */
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
        MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* second */
    MPI_Barrier(MPI_COMM_WORLD); /* first */
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
