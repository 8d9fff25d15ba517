/* Only even ranks are members of the new communicator, but all use it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm half;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2 == 0 ? 0 : MPI_UNDEFINED, rank, &half);
    MPI_Barrier(half); /* want: MPI_Barrier with comm (`half`) MPI_COMM_NULL */
    if (rank % 2 == 0)
        MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
