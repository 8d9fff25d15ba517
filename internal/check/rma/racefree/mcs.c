/* ranks: 4 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#ifndef WAIT
#define WAIT 0
#endif
/* An MCS lock: tail at rank 0, each rank waits on its own flag (WAIT 0: volatile, 1: MPI_Fetch_and_op on itself, 2: MPI_Win_sync and plain, 3: volatile with sync). */
enum { NEXT, BLOCKED, TAIL, COUNT };
static int rank, *mem;
static MPI_Win win;
static int swap(int v, int target, int at)
{
    int old;
    MPI_Fetch_and_op(&v, &old, MPI_INT, target, at, MPI_REPLACE, win);
    MPI_Win_flush(target, win);
    return old;
}
static int peek(int at)
{
#if WAIT == 0
    return *(volatile int *)&mem[at];
#elif WAIT == 1
    int z = 0, v;
    MPI_Fetch_and_op(&z, &v, MPI_INT, rank, at, MPI_NO_OP, win);
    MPI_Win_flush(rank, win);
    return v;
#elif WAIT == 2
    MPI_Win_sync(win);
    return mem[at];
#else
    MPI_Win_sync(win);
    return *(volatile int *)&mem[at];
#endif
}
static void acquire(void)
{
    swap(-1, rank, NEXT);
    swap(1, rank, BLOCKED);
    int before = swap(rank, 0, TAIL);
    if (before >= 0) {
        swap(rank, before, NEXT);
        while (peek(BLOCKED)) { int f; MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &f, MPI_STATUS_IGNORE); }
    }
}
static void release(void)
{
    int me = rank, none = -1, old;
    if (peek(NEXT) < 0) {
        MPI_Compare_and_swap(&none, &me, &old, MPI_INT, 0, TAIL, win);
        MPI_Win_flush(0, win);
        if (old == me) return;
        while (peek(NEXT) < 0) { int f; MPI_Iprobe(MPI_ANY_SOURCE, 77, MPI_COMM_WORLD, &f, MPI_STATUS_IGNORE); }
    }
    swap(0, peek(NEXT), BLOCKED);
}
int main(int argc, char **argv)
{
    int size, n;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mem, &win);
    for (int i = 0; i < 8; i++) mem[i] = i == TAIL ? -1 : 0;
    MPI_Win_lock_all(0, win);
    MPI_Win_sync(win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 10; i++) {
        acquire();
        MPI_Get(&n, 1, MPI_INT, 1, COUNT, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        n++;
        MPI_Put(&n, 1, MPI_INT, 1, COUNT, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        release();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Get(&n, 1, MPI_INT, 1, COUNT, 1, MPI_INT, win);
    MPI_Win_flush(1, win);
    if (n != 10 * size) abort();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
