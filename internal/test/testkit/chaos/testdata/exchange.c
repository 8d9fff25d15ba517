// Ranks exchange messages for some seconds. With the word "hang", each then waits for one that nobody sends.
#include <mpi.h>
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
    int rank, size, sent = 1, got = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int left = (rank + size - 1) % size, right = (rank + 1) % size, hang = argc > 1 && strcmp(argv[1], "hang") == 0;
    for (int i = 0; i < (hang ? 30 : 100); i++) {
        MPI_Sendrecv(&sent, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        nanosleep(&moment, NULL);
    }
    if (hang)
        MPI_Recv(&got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
