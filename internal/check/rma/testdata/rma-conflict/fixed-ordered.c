/* run: -n 3 */
/* What ranks do to one place under locks is in order: by barriers, messages, exclusive locks, values that they read, or it is atomic. */
#include <mpi.h>

static MPI_Win win, flags;

static void put(int place, int value)
{
    MPI_Put(&value, 1, MPI_INT, 0, place, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
}

static int fetch(int rank, int place, MPI_Win from)
{
    int none = 0, value = 0;

    MPI_Fetch_and_op(&none, &value, MPI_INT, rank, place, MPI_NO_OP, from);
    MPI_Win_flush(rank, from);
    return value;
}

static void replace(int rank, int place, int value, MPI_Win at)
{
    MPI_Accumulate(&value, 1, MPI_INT, rank, place, 1, MPI_INT, MPI_REPLACE, at);
    MPI_Win_flush(rank, at);
}

int main(int argc, char **argv)
{
    int rank, memory[16] = {0}, flag[4] = {0}, one = 1, seen;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(flag, sizeof flag, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flags);
    MPI_Win_lock_all(0, win);

    /* One after the other, with a barrier in between. */
    for (int i = 0; i < 3; i++) {
        if (rank == i)
            put(0, rank);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    /* A message says that the put is complete. */
    if (rank == 1) {
        put(1, rank);
        MPI_Send(&one, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(1, rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    /* Exclusive locks, of the place or of something else. */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    put(2, rank);
    MPI_Win_unlock(0, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, flags);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    put(3, rank);
    MPI_Win_unlock(0, win);
    MPI_Win_unlock(1, flags);
    MPI_Barrier(MPI_COMM_WORLD);
    /* Everybody at once, but atomically and with one operator. */
    MPI_Win_lock_all(0, win);
    MPI_Win_lock_all(0, flags);
    MPI_Accumulate(&one, 1, MPI_INT, 0, 4, 1, MPI_INT, MPI_SUM, win);
    MPI_Fetch_and_op(&one, &seen, MPI_INT, 0, 4, MPI_SUM, win);
    fetch(0, 4, win);
    MPI_Barrier(MPI_COMM_WORLD);
    /* Rank 2 waits for the value itself, or for a flag that a third rank sets. */
    if (rank == 1)
        replace(0, 5, 7, win);
    if (rank == 2) {
        while (fetch(0, 5, win) != 7)
            ;
        put(5, rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        put(6, rank);
        replace(0, 0, 1, flags);
    } else if (rank == 0) {
        while (fetch(0, 0, flags) == 0)
            ;
        replace(2, 1, 1, flags);
    } else {
        while (fetch(2, 1, flags) == 0)
            ;
        put(6, rank);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    /* Places of their own, and a barrier that does not block. */
    put(8 + rank, rank);
    if (rank == 2)
        put(7, rank);
    MPI_Ibarrier(MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (rank == 1)
        put(7, rank);
    MPI_Win_unlock_all(flags);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&flags);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
