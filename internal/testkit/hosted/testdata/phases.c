/* Ranks exchange messages around a ring in two phases. Between these each rank waits for a file that the test makes. In the end all is
   well or, with "hang", the first two ranks wait for each other. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int rank, size;

static void exchange(int steps)
{
    for (int i = 0; i < steps; i++) {
        int out = rank, in = -1;
        MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i % 10 == 0)
            MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
}

static void gate(const char *file)
{
    struct stat st;
    while (stat(file, &st) != 0)
        usleep(2000);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    exchange(50);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("phase 1 is over\n");
        fflush(stdout);
    }
    gate(argv[1]);
    exchange(50);
    if (argc > 2 && strcmp(argv[2], "hang") == 0 && rank < 2) {
        int x = 0;
        MPI_Recv(&x, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* hangs */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("phase 2 is over\n");
    MPI_Finalize();
    return 0;
}
