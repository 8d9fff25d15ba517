/* run: -n 2 */
/* Two threads of each rank exchange messages of different kinds: each with its own tag, or its own communicator, or in an order. Those with one tag and in no order
   are of one kind. */
#include <mpi.h>
#include <pthread.h>

static int me;
static MPI_Comm own;
static pthread_barrier_t both;

static void integers(MPI_Comm comm, int tag)
{
    int mine[4] = {me}, theirs[4];
    MPI_Sendrecv(mine, 4, MPI_INT, 1 - me, tag, theirs, 4, MPI_INT, 1 - me, tag, comm, MPI_STATUS_IGNORE);
}

static void numbers(MPI_Comm comm, int tag)
{
    double mine[4] = {me}, theirs[4];
    MPI_Sendrecv(mine, 4, MPI_DOUBLE, 1 - me, tag, theirs, 4, MPI_DOUBLE, 1 - me, tag, comm, MPI_STATUS_IGNORE);
}

static void *first(void *unused)
{
    integers(MPI_COMM_WORLD, 1);
    integers(own, 3);
    integers(MPI_COMM_WORLD, 4);
    integers(MPI_COMM_WORLD, 5);
    pthread_barrier_wait(&both);
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    pthread_barrier_init(&both, NULL, 2);

    pthread_create(&thread, NULL, first, NULL);
    numbers(MPI_COMM_WORLD, 2);
    numbers(MPI_COMM_WORLD, 3);
    integers(MPI_COMM_WORLD, 4);
    pthread_barrier_wait(&both);
    numbers(MPI_COMM_WORLD, 5);
    pthread_join(thread, NULL);

    MPI_Comm_free(&own);
    MPI_Finalize();
    return 0;
}
