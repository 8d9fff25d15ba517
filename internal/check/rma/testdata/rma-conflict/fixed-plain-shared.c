/* Ranks load and store in shared memory in order. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>

/* run: -n 3 */
/* by: unknot -O2 */
enum { N = 64 };

static int rank, size, *own, *first, *next;
static volatile int sink;
static MPI_Win win;

/* Each has its part, and reads that of the next one behind a barrier. */
static void by_barrier(void)
{
    for (int step = 0; step < 4; step++) {
        for (int i = 0; i < N; i++)
            own[i] = rank + step;
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(win);
        for (int i = 0; i < N; i++)
            sink = next[i];
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(win);
    }
}

/* Words side by side. */
static void apart(void)
{
    for (int i = rank; i < N; i += size)
        first[i] = i;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_message(void)
{
    int token = 0;
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    first[3] += rank;
    if (rank < size - 1)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_flag(void)
{
    atomic_int *flag = (atomic_int *)&first[32];
    if (rank == 0) {
        first[1] = 7;
        atomic_store(flag, 1);
    } else {
        while (atomic_load(flag) == 0)
            continue;
        sink = first[1];
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_volatile(void)
{
    volatile int *flag = &first[40];
    if (rank == 0) {
        first[2] = 7;
        __sync_synchronize();
        *flag = 1;
    } else {
        while (*flag == 0)
            continue;
        __sync_synchronize();
        sink = first[2];
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_mutex(void)
{
    pthread_mutex_t *mutex = (pthread_mutex_t *)&first[16];
    if (rank == 0) {
        pthread_mutexattr_t shared;
        pthread_mutexattr_init(&shared);
        pthread_mutexattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(mutex, &shared);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(mutex);
        first[4]++;
        pthread_mutex_unlock(mutex);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void by_lock(void)
{
    for (int i = 0; i < 3; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        first[5]++;
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Aint bytes;
    int unit;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate_shared(N * sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &first);
    MPI_Win_shared_query(win, (rank + 1) % size, &bytes, &unit, &next);
    for (int i = 0; i < N; i++)
        own[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    by_lock();
    MPI_Win_lock_all(0, win);
    by_barrier();
    MPI_Barrier(MPI_COMM_WORLD);
    apart();
    by_message();
    by_flag();
    by_volatile();
    by_mutex();
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
