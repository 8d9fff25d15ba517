/* Fixed: all ranks go through the pairs in the same order, each leaving out the pair that it is not in. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm pair[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    /* Pair p joins ranks p and (p + 1) % 3; the third rank is not in it. */
    MPI_Comm_split(MPI_COMM_WORLD, rank == 2 ? MPI_UNDEFINED : 0, rank, &pair[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &pair[1]);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, rank, &pair[2]);

    for (int p = 0; p < 3; p++)
        if (pair[p] != MPI_COMM_NULL)
            MPI_Barrier(pair[p]);

    for (int p = 0; p < 3; p++)
        if (pair[p] != MPI_COMM_NULL)
            MPI_Comm_free(&pair[p]);

    MPI_Finalize();
    return 0;
}
