/* Wrong: each rank enters the barrier with its right neighbour first, so no two are in the same one. */
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

    MPI_Barrier(pair[rank]); /* every rank waits here */
    MPI_Barrier(pair[(rank + 2) % 3]);

    MPI_Comm_free(&pair[rank]);
    MPI_Comm_free(&pair[(rank + 2) % 3]);

    MPI_Finalize();
    return 0;
}
