/* All ranks learn of the failure and leave together. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, failed, anyone_failed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    failed = rank == 1;
    if (failed)
        fprintf(stderr, "rank 1 has no input\n");
    MPI_Allreduce(&failed, &anyone_failed, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    if (!anyone_failed)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return anyone_failed;
}
