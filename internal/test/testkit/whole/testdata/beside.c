/* If rank 2 comes first, rank 0 waits for a message that nobody sends, while threads of ranks 0 and 1 talk to each other. */
#include <mpi.h>
#include <pthread.h>

static MPI_Comm beside;

/* Rank 0 and rank 1 talk in threads of their own, in an order that is the threads' to say. */
static void *talk(void *arg)
{
    int rank = *(int *)arg, x = 0;
    for (int i = 0; i < 5; i++)
        if (rank == 0) {
            MPI_Send(&x, 1, MPI_INT, 1, 1, beside);
            MPI_Recv(&x, 1, MPI_INT, 1, 1, beside, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&x, 1, MPI_INT, 0, 1, beside, MPI_STATUS_IGNORE);
            MPI_Send(&x, 1, MPI_INT, 0, 1, beside);
        }
    return 0;
}

int main(int argc, char **argv)
{
    int level, rank, x = 0;
    pthread_t thread;
    MPI_Status status;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &beside);
    if (rank < 2)
        pthread_create(&thread, 0, talk, &rank);
    if (rank == 0) {
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        if (status.MPI_SOURCE == 2)
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &status); /* nobody sends this */
        MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    } else if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&x, 1, MPI_INT, 2, 3, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank < 2)
        pthread_join(thread, 0);
    MPI_Comm_free(&beside);
    MPI_Finalize();
    return 0;
}
