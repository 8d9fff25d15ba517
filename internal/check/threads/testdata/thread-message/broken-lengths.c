/* run: -n 2 */
/* Two threads of rank 0 receive a short and a long message with one tag, by blocking calls or by one that is waited for. Only a relaxed atomic makes one thread
   come after the other, which orders nothing. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;
static int loaded(void) { return atomic_load_explicit(&done, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */
static int header[2], body[20], more[20];

static void *first(void *unused)
{
    MPI_Recv(header, 2, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

static void *second(void *unused)
{
    MPI_Recv(more, 20, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return unused;
}

static pthread_t begin(void *(*use)(void *))
{
    pthread_t thread;
    atomic_store_explicit(&done, 0, memory_order_relaxed);
    pthread_create(&thread, NULL, use, NULL);
    while (!look())
        usleep(1000);
    return thread;
}

int main(int argc, char **argv)
{
    int provided, me;
    pthread_t thread;
    MPI_Request request;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me == 0) {
        thread = begin(first);
        MPI_Recv(body, 20, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Rank 0 receives by MPI_Recv in thread 0 with room for 20 × MPI_INT after its thread 1 has received by MPI_Recv with room for 2 × MPI_INT, with the same communicator, rank and tag, and nothing orders the two: in another run a message of 80 bytes may meet the one that is too short for it */
        pthread_join(thread, NULL);
        thread = begin(second);
        MPI_Irecv(header, 2, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &request); /* want: receives by MPI_Irecv in thread 0 with room for 2 × MPI_INT after its thread 2 has received by MPI_Recv with room for 20 × MPI_INT */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
    } else {
        MPI_Send(header, 2, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Send(body, 20, MPI_INT, 0, 5, MPI_COMM_WORLD);
        MPI_Send(body, 20, MPI_INT, 0, 6, MPI_COMM_WORLD);
        MPI_Send(header, 2, MPI_INT, 0, 6, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
