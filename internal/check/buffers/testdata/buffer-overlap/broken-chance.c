/* run: -n 2 */
/* In each case two threads use the same memory one after the other, one of them to receive. Only a relaxed atomic makes the main thread wait, which orders
   nothing: in another run both may use it at the same time. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;
static int loaded(void) { return atomic_load_explicit(&done, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */
static int me, shared[10];
static MPI_Comm one, two;

static void finished(void) { atomic_store_explicit(&done, 1, memory_order_relaxed); }

static void *receives(void *from)
{
    int mine[10] = {0};
    MPI_Sendrecv(mine, 10, MPI_INT, 1 - me, 0, from, 10, MPI_INT, 1 - me, 0, one, MPI_STATUS_IGNORE);
    finished();
    return NULL;
}

static void *sends(void *from)
{
    int theirs[10];
    MPI_Request request;
    MPI_Isend(from, 10, MPI_INT, 1 - me, 0, one, &request);
    MPI_Recv(theirs, 10, MPI_INT, 1 - me, 0, one, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    finished();
    return NULL;
}

static pthread_t begin(void *(*use)(void *), int *memory)
{
    pthread_t thread;
    atomic_store_explicit(&done, 0, memory_order_relaxed);
    pthread_create(&thread, NULL, use, memory);
    while (!look())
        usleep(1000);
    return thread;
}

int main(int argc, char **argv)
{
    int provided, local[10] = {0}, theirs[5];
    pthread_t thread;
    MPI_Request request;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_dup(MPI_COMM_WORLD, &one);
    MPI_Comm_dup(MPI_COMM_WORLD, &two);

    thread = begin(receives, shared);
    MPI_Sendrecv(shared + 5, 5, MPI_INT, 1 - me, 0, theirs, 5, MPI_INT, 1 - me, 0, two, MPI_STATUS_IGNORE); /* want: in memory that MPI_Sendrecv in its thread 1 receives into (20 bytes are in both), and nothing orders the two: in another run both may use it at the same time */
    pthread_join(thread, NULL);

    thread = begin(sends, local);
    MPI_Bcast(local, 10, MPI_INT, 0, two); /* want: in memory that MPI_Isend in its thread 2 sends from (40 bytes are in both), and nothing orders */
    pthread_join(thread, NULL);

    thread = begin(receives, local);
    MPI_Irecv(local, 5, MPI_INT, me, 0, two, &request); /* want: in memory that MPI_Sendrecv in its thread 3 receives into (20 bytes are in both), and nothing orders */
    MPI_Send(theirs, 5, MPI_INT, me, 0, two);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);

    MPI_Recv_init(shared, 5, MPI_INT, me, 0, two, &request);
    thread = begin(sends, shared);
    MPI_Start(&request); /* want: in memory that MPI_Isend in its thread 4 sends from (20 bytes are in both), and nothing orders */
    MPI_Send(theirs, 5, MPI_INT, me, 0, two);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    pthread_join(thread, NULL);

    MPI_Comm_free(&one);
    MPI_Comm_free(&two);
    MPI_Finalize();
    return 0;
}
