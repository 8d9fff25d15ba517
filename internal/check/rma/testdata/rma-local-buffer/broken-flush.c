/* What was got is sent, and reduced, after a flush of another rank. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, seen = 0, sum = 0, *base;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    *base = rank;
    MPI_Win_lock_all(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush_local(0, win);
        MPI_Send(&seen, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Send, which reads memory at buf (`&seen`) that a pending MPI_Get writes */
        /* note: only rank 0 was flushed by MPI_Win_flush_local */
        MPI_Win_flush(1, win); /* note: MPI_Win_flush_local completes only operations on the rank that is passed: pass the target, 1, or call MPI_Win_flush_local_all */
    } else
        MPI_Recv(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Get(&seen, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
    MPI_Win_flush(rank, win);
    MPI_Allreduce(&seen, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Allreduce, which reads memory at sendbuf (`&seen`) that a pending MPI_Get writes */
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
