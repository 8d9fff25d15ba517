/* Rank 0 waits for a file that rank 1 writes after a barrier with it. */
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    struct stat found;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        while (stat("result", &found) != 0)
            sleep(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        fclose(fopen("result", "w"));
    MPI_Finalize();
    return 0;
}
