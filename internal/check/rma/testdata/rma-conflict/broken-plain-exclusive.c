/* The owner of a window uses its memory without a lock, which no lock of another rank keeps away, an exclusive one neither. */
#include <mpi.h>

/* run: -n 3 */
/* by: unknot -O2 */
enum { N = 16 };

static int rank, *memory, *elsewhere, value;
static volatile int sink;
static MPI_Win win, other;

static void put(int at)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&value, 1, MPI_INT, 0, at, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
}

/* It makes one store, and waits for nothing. */
static void one_store(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Put, which writes bytes 0 to 3 of the window of rank 0; rank 0 writes to them itself, and nothing orders them */
        MPI_Win_unlock(0, win);
    }
    if (rank == 0)
        memory[0] = 1; /* note: it is written to at one_store (broken-plain-exclusive.c:28) */
}

static void get_and_store(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Get, which reads bytes 4 to 7 of the window of rank 0; rank 0 writes to them itself, and nothing orders them */
        MPI_Win_unlock(0, win);
    }
    if (rank == 0)
        memory[1] = 1; /* note: it is written to at get_and_store (broken-plain-exclusive.c:39) */
}

/* It may be waiting for the value that it loads. */
static void load(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Put, which writes bytes 8 to 11 of the window of rank 0; rank 0 reads them itself, and no MPI call orders them */
        MPI_Win_unlock(0, win);
    }
    if (rank == 0)
        sink = memory[2]; /* note: it is read at load (broken-plain-exclusive.c:51) */
}

/* A message of a rank that has nothing to do with it. */
static void message(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Put, which writes bytes 12 to 15 of the window of rank 0; rank 0 writes to them itself, and no MPI call orders them */
        MPI_Win_unlock(0, win);
    }
    if (rank == 2)
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memory[3] = 1; /* note: it is written to at message (broken-plain-exclusive.c:66) */
    }
}

/* A lock of another window. */
static void another_lock(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&value, 1, MPI_INT, 0, 4, 1, MPI_INT, win); /* want: Rank 1 calls MPI_Put, which writes bytes 16 to 19 of the window of rank 0; rank 0 writes to them itself, and no MPI call orders them */
        MPI_Win_unlock(0, win);
    }
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, other);
        elsewhere[0] = 1;
        MPI_Win_unlock(0, other);
        memory[4] = 1; /* note: it is written to at another_lock (broken-plain-exclusive.c:82) */
    }
}

/* Under a lock of its own memory it is in order. */
static void locked(void)
{
    if (rank == 1)
        put(5);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        memory[5] = 1;
        MPI_Win_unlock(0, win);
    }
}

/* So it is after the word of the other rank, by a third one. */
static void told(void)
{
    if (rank == 1) {
        put(6);
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    }
    if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        MPI_Recv(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memory[6] = 1;
    }
}

int main(int argc, char **argv)
{
    static void (*const cases[])(void) = {one_store, get_and_store, load, message, another_lock, locked, told};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_allocate(N * sizeof *memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &elsewhere, &other);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        cases[i]();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Win_free(&other);
    MPI_Finalize();
    return 0;
}
