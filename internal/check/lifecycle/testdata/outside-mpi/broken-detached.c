/* A detached thread has made its call when MPI is finalised, as the main thread waits for a relaxed atomic, which orders nothing. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int asked;
static int loaded(void) { return atomic_load_explicit(&asked, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */

static void *serve(void *unused)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    atomic_store_explicit(&asked, 1, memory_order_relaxed);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&thread, 0, serve, 0);
    pthread_detach(thread);
    while (!look())
        usleep(1000);
    MPI_Finalize(); /* want: calls MPI_Finalize in thread 0 after MPI_Comm_size in its thread 1, and nothing orders the two: in another run that thread may call MPI when it is finalised */
    return 0;
}
