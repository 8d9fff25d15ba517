/* A lock lets one thread at a time call MPI, often and in turn. */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *peer)
{
    int a = 1, b, flag;
    MPI_Request request;

    for (int i = 0; i < 2000; i++) {
        pthread_mutex_lock(&lock);
        MPI_Sendrecv(&a, 1, MPI_INT, 0, 0, &b, 1, MPI_INT, 0, 0, *(MPI_Comm *)peer, MPI_STATUS_IGNORE);
        MPI_Irecv(&b, 1, MPI_INT, 0, 1, *(MPI_Comm *)peer, &request);
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        MPI_Send(&a, 1, MPI_INT, 0, 1, *(MPI_Comm *)peer);
        pthread_mutex_unlock(&lock);
        if (!flag) {
            pthread_mutex_lock(&lock);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            pthread_mutex_unlock(&lock);
        }
        pthread_mutex_lock(&lock);
        MPI_Barrier(*(MPI_Comm *)peer);
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Comm mine[2];
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_SELF, &mine[i]);
    pthread_create(&thread, 0, work, &mine[1]);
    work(&mine[0]);
    pthread_join(thread, 0);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&mine[i]);
    MPI_Finalize();
    return 0;
}
