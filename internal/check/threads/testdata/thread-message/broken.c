/* run: -n 2 */
/* Two threads of rank 0 send messages of different kinds with one tag, and two threads of rank 1 receive them. Only relaxed atomics and the clock make one
   thread come after the other, which orders nothing. */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;
static int loaded(void) { return atomic_load_explicit(&done, memory_order_relaxed); }
static int (*volatile look)(void) = loaded; /* a loop that waits for a variable itself may be an order of threads */
static int me, integers[4];
static double numbers[4];

static void finished(void) { atomic_store_explicit(&done, 1, memory_order_relaxed); }

static void *sends(void *unused)
{
    MPI_Send(integers, 4, MPI_INT, 1, 5, MPI_COMM_WORLD);
    finished();
    return unused;
}

static void *receives(void *unused)
{
    MPI_Recv(integers, 4, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    finished();
    return unused;
}

static void *swaps(void *unused)
{
    int theirs[4];
    MPI_Sendrecv(integers, 4, MPI_INT, me, 6, theirs, 4, MPI_INT, me, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    finished();
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
    int provided;
    pthread_t thread;
    MPI_Request request;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);

    if (me == 0) {
        thread = begin(sends);
        MPI_Send(numbers, 4, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD); /* want: Rank 0 sends 4 × MPI_DOUBLE by MPI_Send in thread 0 after its thread 1 has sent 4 × MPI_INT by MPI_Send with the same communicator, rank and tag, and nothing orders the two: in another run the messages may arrive in the other order, and one meets a receive for the other */
    } else {
        thread = begin(receives);
        MPI_Recv(numbers, 4, MPI_DOUBLE, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: Rank 1 receives 4 × MPI_DOUBLE by MPI_Recv in thread 0 after its thread 1 has received 4 × MPI_INT by MPI_Recv with the same communicator, rank and tag, and nothing orders the two: in another run each of the two may get the message that is meant for the other */
    }
    pthread_join(thread, NULL);

    thread = begin(swaps);
    MPI_Irecv(numbers, 2, MPI_DOUBLE, me, 6, MPI_COMM_WORLD, &request); /* want: receives 2 × MPI_DOUBLE by MPI_Irecv in thread 0 after its thread 2 has received 4 × MPI_INT by MPI_Sendrecv */
    MPI_Send(numbers + 2, 2, MPI_DOUBLE, me, 6, MPI_COMM_WORLD); /* want: sends 2 × MPI_DOUBLE by MPI_Send in thread 0 after its thread 2 has sent 4 × MPI_INT by MPI_Sendrecv */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
