// What the workloads share: the time that counts is the slowest rank's, between two barriers, and is printed by rank 0.
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static inline double workload_begin(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime();
}

static inline void workload_end(double begin)
{
    double mine = MPI_Wtime() - begin, slowest = 0;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("seconds %.9f\n", slowest);
}

// Ends the job if a workload computed nonsense: its time would mean nothing.
static inline void workload_check(int right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "wrong result: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static inline void *workload_alloc(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (!p)
        MPI_Abort(MPI_COMM_WORLD, 2);
    return p;
}

#endif
