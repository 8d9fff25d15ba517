/* The owner gets word of a put before that is complete. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 16 };

int main(int argc, char **argv)
{
    int rank, *memory, mine[N] = {0};
    volatile int sink;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(mine, 1, MPI_INT, 1, 2, 1, MPI_INT, win); /* want: Rank 0 calls MPI_Put, which writes bytes 8 to 11 of the window of rank 1; rank 1 reads them itself, and no MPI call orders them */
        /* note: a barrier or a message does not complete RMA calls: call MPI_Win_flush or MPI_Win_unlock first */
        MPI_Send(mine, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Win_unlock(1, win);
    } else {
        MPI_Recv(mine, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sink = memory[2]; /* note: it is read at main (broken-plain-told.c:25) */
        (void)sink;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
