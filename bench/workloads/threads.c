// Four threads of a rank that call MPI. Arguments: how often each of them exchanges one int with its own rank, on a
// communicator that only it uses; "locked" if it holds a lock meanwhile, which all of them use.
#include "workload.h"
#include <pthread.h>
#include <string.h>

enum { THREADS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static MPI_Comm comms[THREADS];
static long times;
static int locked;

static void *exchange(void *comm)
{
    int out = 1, in = 0;
    for (long i = 0; i < times; i++) {
        if (locked)
            pthread_mutex_lock(&lock);
        MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, *(MPI_Comm *)comm, MPI_STATUS_IGNORE);
        if (locked)
            pthread_mutex_unlock(&lock);
    }
    workload_check(times == 0 || in == out, "the number from the rank itself");
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[THREADS];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    workload_check(provided == MPI_THREAD_MULTIPLE, "the thread level");
    times = argc > 1 ? atol(argv[1]) : 1000;
    locked = argc > 2 && strcmp(argv[2], "locked") == 0;
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &comms[i]);
    double begin = workload_begin();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, exchange, &comms[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    workload_end(begin);
    for (int i = 0; i < THREADS; i++)
        MPI_Comm_free(&comms[i]);
    MPI_Finalize();
}
