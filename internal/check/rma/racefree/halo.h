/* A ring of ranks with rows of N cells and a cell of each neighbour on both sides; what the neighbours give arrives in cells 0 and N + 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 64, ROUNDS = 20 };

static int rank, size, left, right;
static double *row, next[N + 2];

static void start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;
}

static void fill(void)
{
    for (int i = 0; i < N + 2; i++)
        row[i] = rank;
}

static void relax(void)
{
    for (int i = 1; i <= N; i++)
        next[i] = (row[i - 1] + row[i] + row[i + 1]) / 3;
    for (int i = 1; i <= N; i++)
        row[i] = next[i];
}

static void finish(void)
{
    double sum = 0, all;
    for (int i = 1; i <= N; i++)
        sum += row[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0 && (all / N < size * (size - 1) / 2.0 - 1e-6 || all / N > size * (size - 1) / 2.0 + 1e-6))
        printf("the sum has become %g\n", all / N);
}
