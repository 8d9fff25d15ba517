/* run: -n 4 */
/* Word of what is complete comes by messages, by collectives of some ranks, by values in windows that a third rank has read, or in several of
   these ways. */
#include <mpi.h>

static MPI_Win win;
static int rank, value = 1, *base;

static void put(int place)
{
    MPI_Put(&value, 1, MPI_INT, 1, place, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
}

static void send(int to) { MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }

static void receive(int from)
{
    int got;
    MPI_Recv(&got, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void replace(int place)
{
    MPI_Accumulate(&value, 1, MPI_INT, 1, place, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(1, win);
}

static int fetch(int place)
{
    int none = 0, got = 0;
    MPI_Fetch_and_op(&none, &got, MPI_INT, 1, place, MPI_NO_OP, win);
    MPI_Win_flush(1, win);
    return got;
}

int main(int argc, char **argv)
{
    int got = 0, all, flag;
    MPI_Comm half;
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof *base, sizeof *base, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 16; i++)
        base[i] = 0;
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);

    /* By a message, and by two. */
    if (rank == 0) {
        put(0);
        send(2);
        put(1);
        send(3);
    } else if (rank == 2) {
        receive(0);
        put(0);
        receive(3);
        put(1);
    } else if (rank == 3) {
        receive(0);
        send(2);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    /* By a barrier of two ranks, one that does not block, and a reduction. */
    if (rank == 0)
        put(2);
    MPI_Barrier(half);
    if (rank == 2)
        put(2);
    MPI_Ibarrier(half, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (rank == 0)
        put(2);
    MPI_Allreduce(&value, &all, 1, MPI_INT, MPI_SUM, half);
    if (rank == 2)
        put(2);
    MPI_Barrier(MPI_COMM_WORLD);

    /* Rank 3 reads a flag and tells rank 2. */
    if (rank == 0) {
        put(3);
        replace(4);
    } else if (rank == 3) {
        while (fetch(4) == 0)
            ;
        send(2);
    } else if (rank == 2) {
        receive(3);
        put(3);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    /* The same with a request. */
    if (rank == 0) {
        put(5);
        replace(6);
    } else if (rank == 3) {
        int none = 0;
        while (got == 0) {
            MPI_Rget_accumulate(&none, 1, MPI_INT, &got, 1, MPI_INT, 1, 6, 1, MPI_INT, MPI_NO_OP, win, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
        send(2);
    } else if (rank == 2) {
        receive(3);
        put(5);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    /* Rank 1 waits for the value in its own memory, and tells rank 2. */
    if (rank == 0) {
        put(7);
    } else if (rank == 1) {
        volatile int *seen = &base[7];
        while (*seen == 0) {
            MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            MPI_Win_sync(win);
        }
        send(2);
    } else if (rank == 2) {
        receive(1);
        put(7);
    }
    MPI_Win_unlock_all(win);
    MPI_Comm_free(&half);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
