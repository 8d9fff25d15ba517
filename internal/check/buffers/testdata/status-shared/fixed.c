/* run: -n 2
   Two threads of rank 1 receive at the same time, each with its own status: one in the function, one for the thread. */
#include <mpi.h>
#include <pthread.h>

static _Thread_local MPI_Status kept;
static MPI_Status all[2];

static void *receive(void *arg)
{
    int value, tag = *(int *)arg;
    MPI_Status status;
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &status);
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &kept);
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &all[tag - 1]);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, tags[] = {1, 2}, value = 7;
    pthread_t threads[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank == 1) {
        for (int i = 0; i < 2; i++)
            pthread_create(&threads[i], NULL, receive, &tags[i]);
        for (int i = 0; i < 2; i++)
            pthread_join(threads[i], NULL);
    } else {
        for (int n = 0; n < 3; n++)
            for (int i = 0; i < 2; i++)
                MPI_Send(&value, 1, MPI_INT, 1, tags[i], MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
