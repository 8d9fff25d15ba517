/* A shared window has parts that the neighbours can use as memory. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, unit, *mine, *theirs = 0;
    MPI_Aint size;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &theirs);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
