/* The owner loads from a window whose memory MPI has allocated, and whose size is no multiple of 16. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
static volatile double sink;

int main(int argc, char **argv)
{
    int rank;
    double *memory, one = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(3 * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&one, 1, MPI_DOUBLE, 1, 2, 1, MPI_DOUBLE, win); /* want: Rank 0 calls MPI_Put, which writes bytes 16 to 23 of the window of rank 1; in the same epoch rank 1 reads them itself */
    else
        sink = memory[2]; /* note: it is read at main (broken-plain-odd.c:20) */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
