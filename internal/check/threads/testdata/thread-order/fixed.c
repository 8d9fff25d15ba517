/* run: -n 2 */
/* The other thread waits by a condition variable, which is followed. */
#include <mpi.h>
#include <pthread.h>

static double field[1000];
static int full;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;

static void *receive(void *unused)
{
    MPI_Recv(field, 1000, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_lock(&lock);
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided;
    pthread_t receiver;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&receiver, NULL, receive, NULL);
        pthread_mutex_lock(&lock);
        while (!full)
            pthread_cond_wait(&filled, &lock);
        pthread_mutex_unlock(&lock);
        MPI_Send(field, 1000, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
        pthread_join(receiver, NULL);
    } else {
        field[0] = 1;
        MPI_Send(field, 1000, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(field, 1000, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return field[0] != 1;
}
