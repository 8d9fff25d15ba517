/* The owner of a window uses its memory while another rank has a lock of it, and nothing orders the two. */
#include <mpi.h>

/* run: -n 2 */
/* by: unknot -O2 */
enum { N = 16 };

static int rank, *memory, mine[N];
static volatile int sink;
static MPI_Win win;

static void within_a_lock(void)
{
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(mine, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* want: Rank 0 calls MPI_Put, which writes bytes 0 to 3 of the window of rank 1; rank 1 reads them itself, and nothing orders them */
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_unlock(1, win);
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        sink = memory[0]; /* note: it is read at within_a_lock (broken-plain-lock.c:22) */
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void get_and_store(void)
{
    if (rank == 0) {
        MPI_Win_lock_all(0, win);
        MPI_Get(mine, 4, MPI_INT, 1, 0, 4, MPI_INT, win); /* want: Rank 0 calls MPI_Get, which reads bytes 4 to 7 of the window of rank 1; rank 1 writes to them itself, and */
        MPI_Win_unlock_all(win);
    } else {
        memory[1] = 5; /* note: it is written to at get_and_store (broken-plain-lock.c:34) */
    }
}

static void initialised_late(void)
{
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Accumulate(mine, 1, MPI_INT, 1, 8, 1, MPI_INT, MPI_SUM, win); /* want: Rank 0 calls MPI_Accumulate, which updates bytes 32 to 35 of the window of rank 1; rank 1 writes to them itself, and */
        MPI_Win_unlock(1, win);
    } else {
        for (int i = 4; i < N; i++)
            memory[i] = 0; /* note: it is written to at initialised_late (broken-plain-lock.c:46) */
    }
}

int main(int argc, char **argv)
{
    static void (*const cases[])(void) = {within_a_lock, get_and_store, initialised_late};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        cases[i]();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
