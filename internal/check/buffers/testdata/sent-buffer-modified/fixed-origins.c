/* Origins that may change: after any completion, also of an operation with a request by a flush; of an operation that does not read
   its origin, that goes nowhere, or is the only one to a target that was completed; in memory that other ranks change. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, zero = 0, one = 1, a = 1, b = 2, result, *memory, *shared;
    MPI_Win win, near;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_allocate(64, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &shared, &near);
    MPI_Win_lock_all(0, win);
    memory[0] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);

    MPI_Rput(&a, 1, MPI_INT, other, 1, 1, MPI_INT, win, &request);
    MPI_Win_flush_local(other, win);
    a++;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Rput(&a, 1, MPI_INT, other, 7, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    a++;
    MPI_Win_flush(other, win);

    /* To both ranks: what is complete to one is not to the other. */
    MPI_Put(&a, 1, MPI_INT, other, 2, 1, MPI_INT, win);
    MPI_Put(&b, 1, MPI_INT, rank, 3, 1, MPI_INT, win);
    MPI_Win_flush_local(rank, win);
    b++;
    MPI_Win_flush_local(other, win);
    a++;

    MPI_Fetch_and_op(&a, &result, MPI_INT, other, 4, MPI_NO_OP, win);
    a++;
    MPI_Put(&a, 1, MPI_INT, MPI_PROC_NULL, 5, 1, MPI_INT, win);
    a++;
    MPI_Win_flush(other, win);
    MPI_Get(&a, 1, MPI_INT, other, 5, 1, MPI_INT, win);
    MPI_Win_flush(other, win);

    /* Rank 0 gives on what rank 1 may add to meanwhile, by an operation that is atomic. */
    if (rank == 0) {
        MPI_Accumulate(&memory[0], 1, MPI_INT, 1, 6, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_flush(1, win);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
        MPI_Win_flush(0, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&near);
    MPI_Win_free(&win);
    MPI_Finalize();
    return zero;
}
