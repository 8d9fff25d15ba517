/* What the programs share that act on more than MPI: what rank 0 acts on decides how it sends a number, and both ways are right. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}

/* Rank from acts on what it knows. */
__attribute__((unused)) static void act(int from, int known)
{
    const int to = 1 - from;
    if (rank == from && known)
        MPI_Ssend(&known, 1, MPI_INT, to, 1, MPI_COMM_WORLD);
    else if (rank == from)
        MPI_Send(&known, 1, MPI_INT, to, 2, MPI_COMM_WORLD);
    else if (rank == to)
        MPI_Recv(&known, 1, MPI_INT, from, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void end(void)
{
    MPI_Finalize();
}
