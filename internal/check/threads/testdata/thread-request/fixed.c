/* One thread waits; the end of that thread tells the other. */
#include <mpi.h>
#include <pthread.h>

static void *work(void *request)
{
    MPI_Wait(request, MPI_STATUS_IGNORE);
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
        pthread_join(thread, 0);
    } else {
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
