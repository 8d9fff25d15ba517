/* run: -n 2 */
/* A thread calls a collective and then the main thread another one on the same communicator. Only a relaxed atomic makes it wait, which orders nothing: in
   another run, or in another rank, the second comes first. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;
static int loaded(void) { return atomic_load_explicit(&done, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */

static void *first(void *unused)
{
    int mine = 1, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

static void *nonblocking(void *unused)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

static void until_done(void)
{
    while (!look())
        usleep(1000);
}

int main(int argc, char **argv)
{
    int provided, data = 1;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&thread, NULL, first, NULL);
    until_done();
    MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD); /* want: calls MPI_Bcast in thread 0 on MPI_COMM_WORLD after MPI_Allreduce in its thread 1, and nothing orders the two: in another run they may come in the other order */
    pthread_join(thread, NULL);

    done = 0;
    pthread_create(&thread, NULL, nonblocking, NULL);
    until_done();
    MPI_Bcast(&data, 1, MPI_INT, 0, MPI_COMM_WORLD); /* want: calls MPI_Bcast in thread 0 on MPI_COMM_WORLD after MPI_Ibarrier in its thread 2, and nothing orders */
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
