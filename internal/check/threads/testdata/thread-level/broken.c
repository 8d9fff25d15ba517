/* MPI_Init promises no more than MPI_THREAD_SINGLE, but a second thread calls MPI. */
#include <mpi.h>
#include <pthread.h>

static void *work(void *comm)
{
    int rank;
    MPI_Comm_rank(*(MPI_Comm *)comm, &rank); /* want: Rank 0 calls MPI_Comm_rank in thread 1, but MPI provides MPI_THREAD_SINGLE */
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Comm comm = MPI_COMM_WORLD;
    pthread_t thread;

    MPI_Init(&argc, &argv);
    pthread_create(&thread, 0, work, &comm);
    pthread_join(thread, 0);
    MPI_Finalize();
    return 0;
}
