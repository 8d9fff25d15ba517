/* The thread that serves requests has made its last call before MPI is finalised. It may ask whether MPI still is there at any time. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t served, ended;

static void *serve(void *arg)
{
    int size, flag;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sem_post(&served);
    do
        MPI_Finalized(&flag);
    while (!flag);
    sem_wait(&ended);
    MPI_Finalized(&flag);
    return arg;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    sem_init(&served, 0, 0);
    sem_init(&ended, 0, 0);
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&thread, 0, serve, 0);
    sem_wait(&served);
    MPI_Finalize();
    sem_post(&ended);
    pthread_join(thread, 0);
    return 0;
}
