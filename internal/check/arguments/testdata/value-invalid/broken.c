/* Ranks of odd number shall be in no part, but -1 is no colour. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm even;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int color = rank % 2 == 0 ? 0 : -1;
    MPI_Comm_split(MPI_COMM_WORLD, color, rank, &even); /* want: Rank 1 calls MPI_Comm_split with color -1; a colour must be 0 or more, or MPI_UNDEFINED for a rank that should get no communicator */
    if (even != MPI_COMM_NULL)
        MPI_Comm_free(&even);
    MPI_Finalize();
    return 0;
}
