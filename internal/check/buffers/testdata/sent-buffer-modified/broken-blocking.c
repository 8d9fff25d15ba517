/* run: -n 2 */
/* by: unknot -O2 */
/* A thread that does not call MPI changes the data that the main thread sends, before that call has returned. Rank 1 says in shared memory that it has got the
   message, and answers only when the data has changed. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

static int out[4], in[4];
static _Atomic int *state;

static void until(int value)
{
    while (atomic_load(state) != value)
        ;
}

static void *changes(void *unused)
{
    until(1);
    out[1] = 7;
    atomic_store(state, 2);
    return unused;
}

int main(int argc, char **argv)
{
    int me, provided, unit;
    pthread_t thread;
    MPI_Win win;
    MPI_Aint size;
    int *base;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate_shared(me == 0 ? sizeof *state : 0, sizeof *state, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_shared_query(win, 0, &size, &unit, &state);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    if (me == 0)
        atomic_store(state, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0) {
        pthread_create(&thread, NULL, changes, NULL);
        MPI_Sendrecv(out, 4, MPI_INT, 1, 0, in, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Rank 0 calls MPI_Sendrecv in thread 0 with sendbuf (`out`), and another thread writes to that memory before the call returns. */
        pthread_join(thread, NULL);
    } else {
        MPI_Recv(in, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        atomic_store(state, 1);
        until(2);
        MPI_Send(out, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
