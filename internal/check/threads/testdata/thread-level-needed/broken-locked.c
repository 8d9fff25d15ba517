/* run: -n 1 --check=thread-levels-needed */
/* Each thread calls MPI with a lock that all of them take. */
#include <mpi.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *exchange(void *number)
{
    pthread_mutex_lock(&lock);
    MPI_Sendrecv_replace(number, 1, MPI_INT, 0, 1, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, i, numbers[3] = {0, 1, 2};
    pthread_t threads[3];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, exchange, &numbers[i]);
    for (i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    MPI_Finalize(); /* want: requests MPI_THREAD_MULTIPLE, but in this run MPI_THREAD_SERIALIZED was enough: several threads called it, one at a time and in an order that is fixed */
    return 0;
}
