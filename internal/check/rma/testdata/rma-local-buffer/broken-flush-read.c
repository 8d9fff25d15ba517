/* by: unknot -O1 */
/* What was got is read after a flush of another rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, seen = 0, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    *base = rank;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* want: Rank 0 calls MPI_Get with origin_addr (`&seen`) and reads that memory before the operation is completed */
        MPI_Win_flush(0, win); /* note: only rank 0 was flushed by MPI_Win_flush */
        if (seen < 0)
            return 1;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
