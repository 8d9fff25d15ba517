/* run: -n 2
   Thread 1 of rank 1 is in MPI_Sendrecv, as rank 0 knows by its message, while thread 2 receives. They have one status. */
#include <mpi.h>
#include <pthread.h>

enum { HERE = 1, GO, DATA, DONE, LAST };
static MPI_Status status;

static void *exchange(void *unused)
{
    int value = 0, got;
    MPI_Sendrecv(&value, 1, MPI_INT, 0, HERE, &got, 1, MPI_INT, MPI_ANY_SOURCE, LAST, MPI_COMM_WORLD, &status);
    return unused;
}

static void *receive(void *unused)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, 0, GO, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&value, 1, MPI_INT, 0, DATA, MPI_COMM_WORLD, &status); /* want: with status (`&status`), which its thread */
    MPI_Send(&value, 1, MPI_INT, 0, DONE, MPI_COMM_WORLD);
    return unused;
}

int main(int argc, char **argv)
{
    int rank, provided, value = 7;
    pthread_t one, two;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 1) {
        pthread_create(&one, NULL, exchange, NULL);
        pthread_create(&two, NULL, receive, NULL);
        pthread_join(one, NULL);
        pthread_join(two, NULL);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 1, HERE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, GO, MPI_COMM_WORLD);
        MPI_Send(&value, 1, MPI_INT, 1, DATA, MPI_COMM_WORLD);
        MPI_Recv(&value, 1, MPI_INT, 1, DONE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 1, LAST, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
