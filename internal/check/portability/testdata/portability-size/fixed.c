/* run: -n 2 --check=portability */
/* Displacements from the beginning of the part that is gathered. */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int all[2];
    int rank, mine = 1, counts[2] = {1, 1}, displs[2] = {0, 1};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Gatherv(&mine, 1, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
