// Makes some progress and then hangs in the way of its argument: "ring" (everybody receives from the left before it
// would send), "wildcard" (everybody receives from anybody), "ssend" (everybody sends to the right before it would
// receive). With "send" it does that by MPI_Send, and gets on, after some seconds, if MPI buffers. Each rank prints
// the time just before its last call.
#include "workload.h"
#include <string.h>
#include <time.h>

enum { SECONDS = 4 };

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *shape = argc > 1 ? argv[1] : "ring";
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
    if (strcmp(shape, "send") == 0) {
        MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        nanosleep(&(struct timespec){.tv_sec = SECONDS}, NULL);
    } else if (strcmp(shape, "ssend") == 0) {
        MPI_Ssend(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
        MPI_Recv(&got, 1, MPI_INT, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        int from = strcmp(shape, "wildcard") == 0 ? MPI_ANY_SOURCE : left;
        MPI_Recv(&got, 1, MPI_INT, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&rank, 1, MPI_INT, right, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
}
