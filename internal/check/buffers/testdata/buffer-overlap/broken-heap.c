/* run: -n 2 */
/* Two threads use a block of the heap, and the stack of a third thread that is still there, one after the other. Only a relaxed atomic makes the main thread wait, which
   orders nothing. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int done;
static int loaded(void) { return atomic_load_explicit(&done, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */
static int me;
static double *field, *lent;
static pthread_barrier_t both;

static void *receives(void *memory)
{
    MPI_Recv(memory, 100, MPI_DOUBLE, 1 - me, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return NULL;
}

static void *lends(void *unused)
{
    double local[100] = {0};
    lent = local;
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    return unused;
}

static pthread_t begin(void *(*does)(void *), void *memory)
{
    pthread_t thread;
    atomic_store_explicit(&done, 0, memory_order_relaxed);
    pthread_create(&thread, NULL, does, memory);
    while (does == receives && !look())
        usleep(1000);
    return thread;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t lender, thread;
    double own[100] = {0};

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    field = malloc(100 * sizeof *field);
    MPI_Send(own, 100, MPI_DOUBLE, 1 - me, 0, MPI_COMM_WORLD);
    MPI_Send(own, 100, MPI_DOUBLE, 1 - me, 0, MPI_COMM_WORLD);

    thread = begin(receives, field);
    MPI_Sendrecv(field, 100, MPI_DOUBLE, 1 - me, 1, own, 100, MPI_DOUBLE, 1 - me, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Sendrecv in thread 0 with sendbuf (`field`) in memory that MPI_Recv in its thread 1 receives into (800 bytes are in both), and nothing orders the two */
    pthread_join(thread, NULL);
    free(field);

    pthread_barrier_init(&both, NULL, 2);
    lender = begin(lends, NULL);
    pthread_barrier_wait(&both);
    thread = begin(receives, lent);
    MPI_Sendrecv(lent, 100, MPI_DOUBLE, 1 - me, 2, own, 100, MPI_DOUBLE, 1 - me, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: calls MPI_Sendrecv in thread 0 with sendbuf (`lent`) in memory that MPI_Recv in its thread 3 receives into (800 bytes are in both), and nothing orders the two */
    pthread_join(thread, NULL);
    pthread_barrier_wait(&both);
    pthread_join(lender, NULL);
    MPI_Finalize();
    return 0;
}
