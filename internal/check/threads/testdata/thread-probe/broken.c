/* Two threads find the same message by MPI_Probe before one of them receives it. Both messages have the same size, so nothing happens this time. */
#include <mpi.h>
#include <pthread.h>

static pthread_barrier_t found;

static void *work(void *unused)
{
    MPI_Status status;
    int n, data[4];

    MPI_Probe(0, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    pthread_barrier_wait(&found);
    MPI_Recv(data, n, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, &status); /* want: has probed for the same source and tag: each of the two may receive the message that the other one has found */
    return unused;
}

int main(int argc, char **argv)
{
    int provided, rank, data[4] = {0};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Send(data, 4, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        pthread_barrier_init(&found, 0, 2);
        pthread_create(&thread, 0, work, 0);
        work(0);
        pthread_join(thread, 0);
        pthread_barrier_destroy(&found);
    }
    MPI_Finalize();
    return 0;
}
