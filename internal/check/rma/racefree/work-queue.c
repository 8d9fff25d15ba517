/* ranks: 4 */
#include <mpi.h>
#include <stdio.h>

/* Ranks draw tasks from a counter of rank 0, and add their results to another one. */
int main(int argc, char **argv)
{
    enum { TASKS = 50 };
    long *counters, one = 1, task, sum = 0, zero = 0;
    int rank;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank == 0 ? 2 * sizeof *counters : 0, sizeof *counters, MPI_INFO_NULL, MPI_COMM_WORLD, &counters, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Accumulate(&zero, 1, MPI_LONG, 0, 0, 1, MPI_LONG, MPI_REPLACE, win);
        MPI_Accumulate(&zero, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (;;) {
        MPI_Fetch_and_op(&one, &task, MPI_LONG, 0, 0, MPI_SUM, win);
        MPI_Win_flush(0, win);
        if (task >= TASKS)
            break;
        MPI_Accumulate(&task, 1, MPI_LONG, 0, 1, 1, MPI_LONG, MPI_SUM, win);
        MPI_Win_flush_local(0, win);
    }
    MPI_Win_flush(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Get(&sum, 1, MPI_LONG, 0, 1, 1, MPI_LONG, win);
        MPI_Win_flush(0, win);
        if (sum != TASKS * (TASKS - 1) / 2)
            printf("the sum is %ld\n", sum);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
