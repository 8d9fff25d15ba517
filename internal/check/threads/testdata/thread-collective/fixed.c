/* Each thread has a communicator of its own. */
#include <mpi.h>
#include <pthread.h>

static void *work(void *comm)
{
    for (int i = 0; i < 100; i++)
        MPI_Barrier(*(MPI_Comm *)comm);
    return 0;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Comm mine[2];
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &mine[i]);
    pthread_create(&thread, 0, work, &mine[1]);
    work(&mine[0]);
    pthread_join(thread, 0);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&mine[i]);
    MPI_Finalize();
    return 0;
}
