/* Both threads wait for the one request. */
/* only: mpich */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *request)
{
    MPI_Request copy = *(MPI_Request *)request;
    MPI_Wait(&copy, MPI_STATUS_IGNORE);
    return 0;
}

int main(int argc, char **argv)
{
    int provided, rank, n = 0;
    pthread_t thread;
    MPI_Request request;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        pthread_create(&thread, 0, work, &request);
        usleep(500000);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* want: Rank 0 calls MPI_Wait in thread 0 for a request that its thread 1 is waiting for */
        pthread_join(thread, 0);
    } else {
        sleep(2);
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
