#include <mpi.h>

static void swap(int me, int other)
{
    static int mine, theirs;
    MPI_Request dropped;
    mine = me;
    MPI_Isend(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &dropped);
    MPI_Recv(&theirs, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&dropped, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int step = 0; step < 300; step++)
        swap(rank, 1 - rank);
    MPI_Finalize();
    return 0;
}
