/* A thread is still in a synchronous send when the main thread finalises MPI. It waits for ever, which is told if that takes long enough. */
/* only: openmpi */
/* also: message-lost deadlock */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *serve(void *n)
{
    MPI_Ssend(n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    return n;
}

int main(int argc, char **argv)
{
    int provided, rank, n = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, 0, serve, &n);
        MPI_Recv(&n, 0, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Probe(0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* rank 0 is in its send, which waits for us */
        MPI_Send(&n, 0, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize(); /* want: Rank 0 calls MPI_Finalize in thread 0 while its thread 1 is in MPI_Ssend */
    _exit(0);
}
