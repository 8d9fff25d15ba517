/* The second thread probes when the first one has received already, because it sleeps. The program has no lock, so nothing orders the two. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void take(void)
{
    MPI_Status status;
    int n, data[8];

    MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &n);
    MPI_Recv(data, n, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, &status); /* want: the message that the other one has found */
}

static void *late(void *unused)
{
    usleep(200000);
    take();
    return unused;
}

int main(int argc, char **argv)
{
    int provided, rank, data[8] = {0};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(data, 4, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Send(data, 4, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        pthread_create(&thread, 0, late, 0);
        take();
        pthread_join(thread, 0);
    }
    MPI_Finalize();
    return 0;
}
