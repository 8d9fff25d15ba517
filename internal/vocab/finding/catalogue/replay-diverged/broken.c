/* Who sends is left to the clock. A plan by which rank 0 meets rank 2 cannot be kept in a run in which rank 1 sends. */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    int rank, who, value = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    who = 1 + (int)(time(NULL) % 2);
    MPI_Bcast(&who, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else if (rank == who)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
