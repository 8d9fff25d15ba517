/* A worker thread initialises MPI and finalises it when the others are done: it is the main thread in the sense of MPI. */
#include <mpi.h>
#include <pthread.h>

static pthread_t beside;

static void *calls(void *arg)
{
    int rank, main_thread;
    MPI_Is_thread_main(&main_thread);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return arg;
}

static void *whole(void *arg)
{
    int provided;
    MPI_Init_thread(0, 0, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&beside, 0, calls, 0);
    calls(0);
    pthread_join(beside, 0);
    MPI_Finalize();
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, whole, 0);
    pthread_join(thread, 0);
    return 0;
}
