// What the programs of this directory share: every one computes something that it can check, says "ok" or what is wrong on
// rank 0, and works with 4 ranks, with 8 and mostly with any number.
#pragma once
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static inline void begin(int *argc, char ***argv, int least)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < least) {
        if (rank == 0)
            fprintf(stderr, "this program needs at least %d ranks\n", least);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
}

// Ends the program; right matters on rank 0 only.
static inline int end(int right)
{
    if (rank == 0)
        puts(right ? "ok" : "wrong result");
    MPI_Finalize();
    return rank == 0 && !right;
}
