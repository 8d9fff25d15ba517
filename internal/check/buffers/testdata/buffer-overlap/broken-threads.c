/* run: -n 2 */
/* Two threads of rank 0 receive into one array: it was meant to be one for each. */
#include <mpi.h>
#include <pthread.h>

static int halo[4];

static void exchange(int tag)
{
    int out = tag;
    MPI_Status status;
    MPI_Sendrecv(&out, 1, MPI_INT, 1, tag, halo, 4, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status); /* want: still receives into (16 bytes are in both) */
}

static void *first(void *unused)
{
    exchange(1);
    return unused;
}

static void *second(void *unused)
{
    int go;
    MPI_Recv(&go, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    exchange(2);
    return unused;
}

int main(int argc, char **argv)
{
    int provided, rank, in[4] = {0};
    pthread_t threads[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&threads[0], NULL, first, NULL);
        pthread_create(&threads[1], NULL, second, NULL);
        pthread_join(threads[0], NULL);
        pthread_join(threads[1], NULL);
    } else if (rank == 1) {
        MPI_Recv(in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* the first is in its exchange */
        MPI_Send(in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Recv(in, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* and so is the second */
        MPI_Send(in, 4, MPI_INT, 0, 1, MPI_COMM_WORLD);
        MPI_Send(in, 4, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
