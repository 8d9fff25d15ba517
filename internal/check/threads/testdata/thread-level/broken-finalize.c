/* A worker thread finalises MPI, which the main thread has initialised. */
#include <mpi.h>
#include <pthread.h>

static void *last(void *arg)
{
    MPI_Finalize(); /* want: Rank 0 calls MPI_Finalize in thread 1, but another thread initialised MPI: that one should finalise it */
    return arg;
}

int main(int argc, char **argv)
{
    int provided, rank;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, 0, last, 0);
    pthread_join(thread, 0);
    return 0;
}
