/* The main thread calls MPI while another thread is in a receive: that needs MPI_THREAD_MULTIPLE. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *n)
{
    MPI_Recv(n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return 0;
}

int main(int argc, char **argv)
{
    int provided, rank, n = 0;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread, 0, work, &n);
        for (int i = 0; i < 20; i++) {
            usleep(50000);
            MPI_Comm_size(MPI_COMM_WORLD, &n); /* want: Rank 0 calls MPI_Comm_size in thread 0 while its thread 1 is in MPI_Recv, but MPI provides MPI_THREAD_SERIALIZED */
        }
        pthread_join(thread, 0);
    } else {
        sleep(2);
        MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
