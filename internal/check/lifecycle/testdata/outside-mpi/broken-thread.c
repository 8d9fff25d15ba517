/* The thread that serves requests is told to end, but not joined: it makes one more call when MPI has been finalised. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

static sem_t served, ended;

static void *serve(void *arg)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    sem_post(&served);
    sem_wait(&ended);
    MPI_Comm_size(MPI_COMM_WORLD, &size); /* want: calls MPI_Comm_size in thread 1 although its thread 0 has called MPI_Finalize */
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
