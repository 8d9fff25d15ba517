/* run: -n 2 */
/* Threads share memory in an order: by a lock, a barrier, a message, or their start and end. Or they use other halves of it, or only send from it. Memory that is
   given from thread to thread by chance, as heap blocks and stacks are, is not shared. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

enum { TIMES = 20 };

static int me, shared[10], ready;
static MPI_Comm one, two;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t both;
static sem_t ended;

static void swap(int *in, int n, MPI_Comm comm)
{
    int mine[10] = {0};
    MPI_Sendrecv(mine, n, MPI_INT, 1 - me, 0, in, n, MPI_INT, 1 - me, 0, comm, MPI_STATUS_IGNORE);
}

static void *first(void *unused)
{
    swap(shared, 10, one);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);

    pthread_barrier_wait(&both);
    swap(shared, 10, one);
    MPI_Send(NULL, 0, MPI_INT, me, 7, MPI_COMM_WORLD);

    pthread_barrier_wait(&both);
    swap(shared, 5, one);
    return unused;
}

static void *sends(void *unused)
{
    int theirs[10];
    MPI_Sendrecv(shared, 10, MPI_INT, 1 - me, 0, theirs, 10, MPI_INT, 1 - me, 0, one, MPI_STATUS_IGNORE);
    return unused;
}

static void *on_stack(void *unused)
{
    int in[10];
    swap(in, 10, MPI_COMM_WORLD);
    sem_post(&ended);
    return unused;
}

static void *on_heap(void *comm)
{
    for (int i = 0; i < TIMES; i++) {
        int *in = malloc(10 * sizeof *in);
        swap(in, 10, *(MPI_Comm *)comm);
        free(in);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, theirs[10];
    pthread_t thread, other;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &two);
    pthread_barrier_init(&both, NULL, 2);
    sem_init(&ended, 0, 0);

    pthread_create(&thread, NULL, first, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    swap(shared, 10, two);
    pthread_barrier_wait(&both);
    MPI_Recv(NULL, 0, MPI_INT, me, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    swap(shared, 10, two);
    pthread_barrier_wait(&both);
    swap(shared + 5, 5, two);
    pthread_join(thread, NULL);

    pthread_create(&thread, NULL, sends, NULL);
    MPI_Sendrecv(shared, 10, MPI_INT, 1 - me, 0, theirs, 10, MPI_INT, 1 - me, 0, two, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);

    for (int i = 0; i < TIMES; i++) {
        pthread_create(&thread, NULL, on_stack, NULL);
        pthread_detach(thread);
        sem_wait(&ended);
    }

    pthread_create(&thread, NULL, on_heap, &one);
    pthread_create(&other, NULL, on_heap, &two);
    pthread_join(thread, NULL);
    pthread_join(other, NULL);

    MPI_Comm_free(&one);
    MPI_Comm_free(&two);
    MPI_Finalize();
    return 0;
}
