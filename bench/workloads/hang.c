// Makes some progress and then hangs in the way of its argument: "ring" (everybody receives from the left before it would
// send), "wildcard" (everybody receives from anybody). Each rank prints the time just before its last call.
#include "workload.h"
#include <string.h>
#include <time.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int wildcard = argc > 1 && strcmp(argv[1], "wildcard") == 0;
    int rank, size, got = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < 20; i++)
        MPI_Sendrecv(&rank, 1, MPI_INT, right, 0, &got, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    printf("last %lld\n", (long long)now.tv_sec * 1000000000 + now.tv_nsec);
    fflush(stdout);
    MPI_Recv(&got, 1, MPI_INT, wildcard ? MPI_ANY_SOURCE : left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    MPI_Finalize();
}
