// What a call costs more when it is recorded. Calls that do nothing (their peer is MPI_PROC_NULL) are made in bursts that
// fit into a ring, with pauses in which it is emptied: the writing is measured, not the reading. Prints the median burst's
// nanoseconds a call. Argument: "send" (one record a call) or "recv" (two).
#include "workload.h"
#include <string.h>
#include <time.h>

enum { BURST = 2000, BURSTS = 101 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double burst(int receive)
{
    int value = 0;
    double begin = MPI_Wtime();
    for (int i = 0; i < BURST; i++) {
        if (receive)
            MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        else
            MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
    return (MPI_Wtime() - begin) / BURST * 1e9;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int receive = argc > 1 && strcmp(argv[1], "recv") == 0;
    double cost[BURSTS];
    for (int i = 0; i < BURSTS; i++) {
        const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
        nanosleep(&pause, NULL);
        cost[i] = burst(receive);
    }
    qsort(cost, BURSTS, sizeof *cost, ascending);
    printf("nanoseconds %.3f\n", cost[BURSTS / 2]);
    MPI_Finalize();
}
