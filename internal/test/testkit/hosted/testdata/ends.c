// Ranks that do what is right, and end with status 7 if there is only one: Open MPI would end the others, which may still be in MPI_Finalize.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of the job ends, sum %d\n", rank, sum);
    MPI_Finalize();
    return size == 1 ? 7 : 0;
}
