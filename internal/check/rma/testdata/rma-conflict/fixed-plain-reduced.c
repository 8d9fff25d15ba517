/* Stores before a reduction, and accesses by others after it. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 16 };

int main(int argc, char **argv)
{
    int rank, *memory, mine = 3, sum, zero = 0;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        memory[2] = sum;
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&mine, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    /* Nothing is received: rank 1 may have had word of the put by a file. */
    MPI_Allreduce(&zero, &sum, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
