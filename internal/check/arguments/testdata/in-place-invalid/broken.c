/* All ranks give MPI_IN_PLACE, which is for the root only. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, sum;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    sum = rank;
    MPI_Reduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* want: Rank 1 calls MPI_Reduce with sendbuf MPI_IN_PLACE; only the root may pass it */
    MPI_Finalize();
    return 0;
}
