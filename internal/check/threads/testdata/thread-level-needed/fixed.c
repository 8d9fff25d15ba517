/* run: -n 2 --check=thread-levels-needed */
/* Two threads call MPI, and nothing orders them. */
#include <mpi.h>
#include <pthread.h>

static int me;

static void *exchange(void *tag)
{
    int mine = me, theirs, n = *(int *)tag;
    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - me, n, &theirs, 1, MPI_INT, 1 - me, n, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, tags[2] = {1, 2};
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    pthread_create(&thread, NULL, exchange, &tags[0]);
    exchange(&tags[1]);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
