/* run: -n 2 */
/* In each case a thread sends and then the main thread receives, as this waits for a relaxed atomic, which orders nothing (C11, 5.1.2.4). What the threads do
   besides does not order the two calls either: in another run they overlap. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static int peer;
static atomic_int sent;
static int loaded(void) { return atomic_load_explicit(&sent, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */
static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t both;
static sem_t early;

static void send(void)
{
    int data = 1;
    MPI_Send(&data, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
}

static void is_sent(void) { atomic_store_explicit(&sent, 1, memory_order_relaxed); }

static void until_sent(void)
{
    while (!look())
        usleep(1000);
}

static void *plain(void *unused)
{
    send();
    is_sent();
    return unused;
}

static void *locks(void *unused)
{
    pthread_mutex_lock(&one);
    send();
    pthread_mutex_unlock(&one);
    is_sent();
    return unused;
}

static void *reads(void *unused)
{
    pthread_rwlock_rdlock(&shared);
    send();
    pthread_rwlock_unlock(&shared);
    is_sent();
    return unused;
}

static void *posts(void *unused)
{
    sem_post(&early);
    send();
    is_sent();
    return unused;
}

static void *meets(void *unused)
{
    pthread_barrier_wait(&both);
    send();
    is_sent();
    return unused;
}

int main(int argc, char **argv)
{
    int provided, rank, data;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    sem_init(&early, 0, 0);
    pthread_barrier_init(&both, NULL, 2);

    pthread_create(&thread, NULL, plain, NULL);
    until_sent();
    MPI_Recv(&data, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Recv in thread 0 after MPI_Send in its thread 1, and nothing orders the two: in another run both may be in MPI at the same time */
    pthread_join(thread, NULL);

    sent = 0;
    pthread_create(&thread, NULL, locks, NULL);
    until_sent();
    pthread_mutex_lock(&other);
    MPI_Recv(&data, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Recv in thread 0 after MPI_Send in its thread 2, and nothing orders */
    pthread_mutex_unlock(&other);
    pthread_join(thread, NULL);

    sent = 0;
    pthread_create(&thread, NULL, reads, NULL);
    until_sent();
    pthread_rwlock_rdlock(&shared);
    MPI_Recv(&data, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Recv in thread 0 after MPI_Send in its thread 3, and nothing orders */
    pthread_rwlock_unlock(&shared);
    pthread_join(thread, NULL);

    sent = 0;
    pthread_create(&thread, NULL, posts, NULL);
    until_sent();
    sem_wait(&early);
    MPI_Recv(&data, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Recv in thread 0 after MPI_Send in its thread 4, and nothing orders */
    pthread_join(thread, NULL);

    sent = 0;
    pthread_create(&thread, NULL, meets, NULL);
    pthread_barrier_wait(&both);
    until_sent();
    MPI_Recv(&data, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Recv in thread 0 after MPI_Send in its thread 5, and nothing orders */
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
