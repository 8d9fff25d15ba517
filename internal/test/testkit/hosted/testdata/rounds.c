/* Ranks exchange messages around a ring, always the same, until there is a file that the test makes. Then all is well or, with "hang", the first
   two ranks wait for each other. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int main(int argc, char **argv)
{
    int rank, size, stop = 0, in = 0;
    struct stat st;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (long n = 0; !stop; n++) {
        for (int i = 0; i < 10; i++)
            MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 0)
            stop = n >= 1000 && stat(argv[1], &st) == 0;
        MPI_Bcast(&stop, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0 && n == 1000) {
            printf("phase 1 is over\n");
            fflush(stdout);
        }
    }
    if (argc > 2 && strcmp(argv[2], "hang") == 0 && rank < 2)
        MPI_Recv(&in, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* hangs */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("phase 2 is over\n");
    MPI_Finalize();
    return 0;
}
