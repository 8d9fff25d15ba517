/* A reduction orders what ranks do as a barrier does, and completes no RMA call. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 16 };

int main(int argc, char **argv)
{
    int rank, *memory, mine = 3, sum;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        memory[2] = sum;
    if (rank == 0)
        MPI_Put(&mine, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* want: Rank 0 calls MPI_Put, which writes bytes 8 to 11 of the window of rank 1; in the same epoch rank 1 writes to them itself */
    /* note: it is written to at main (broken-plain-reduced.c:19) */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
