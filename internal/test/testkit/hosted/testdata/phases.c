/* Ranks exchange messages around a ring in two phases. Between these each rank waits for a file that the test makes. In the end all is
   well or, with "hang", the first two ranks wait for each other; with "misuse" rank 3 receives something else than rank 1 sends, and before the
   first phase with "early". */
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

static void mismatch(void)
{
    int out = 1;
    float in = 0;
    if (rank == 1)
        MPI_Send(&out, 1, MPI_INT, 3, 9, MPI_COMM_WORLD); /* sends */
    if (rank == 3)
        MPI_Recv(&in, 1, MPI_FLOAT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* receives */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 2 && strcmp(argv[2], "early") == 0)
        mismatch();
    exchange(50);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        printf("phase 1 is over\n");
        fflush(stdout);
    }
    gate(argv[1]);
    exchange(50);
    if (argc > 2 && strcmp(argv[2], "misuse") == 0)
        mismatch();
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
