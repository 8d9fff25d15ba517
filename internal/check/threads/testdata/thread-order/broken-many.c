/* run: -n 1 */
/* There is no room for the clocks of so many threads. What they do is right: the memory that all of them use has a lock. */
#include <mpi.h>
#include <pthread.h>

enum { THREADS = 80 };

static int shared;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t all;

static void *exchange(void *number)
{
    int mine = *(int *)number;
    pthread_barrier_wait(&all);
    pthread_mutex_lock(&lock);
    MPI_Sendrecv(&mine, 1, MPI_INT, 0, mine, &shared, 1, MPI_INT, 0, mine, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* want: in several threads, and unknot does not follow their order */
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, i, numbers[THREADS];
    pthread_t threads[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_barrier_init(&all, NULL, THREADS);
    for (i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, exchange, &numbers[i]);
    }
    for (i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&all);
    MPI_Finalize();
    return 0;
}
