/* A rank makes one iteration less. */
/* code: deadlock */
/* sentence: Ranks 0, 2 and 3 wait in MPI_Allreduce for MPI_Allreduce by rank 1, which is in MPI_Finalize. */
/* parting: 0 1 MPI_Allreduce loop; 0 MPI_Allreduce loop; 1 MPI_Finalize end */
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
    for (int i = 0; i < (rank == 1 ? 99 : 100); i++)
        MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* loop */
    MPI_Comm_free(&halo);
    MPI_Finalize(); /* end */
    return x + y + other > 1000;
}
