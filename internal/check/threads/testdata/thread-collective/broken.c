/* Both threads of a rank call a collective on MPI_COMM_WORLD, in whatever order they come. */
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *late)
{
    if (late)
        usleep(500000);
    MPI_Barrier(MPI_COMM_WORLD); /* want: on MPI_COMM_WORLD while its thread */
    return 0;
}

int main(int argc, char **argv)
{
    int provided, rank;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        sleep(2);
    pthread_create(&thread, 0, work, 0);
    work(&thread);
    pthread_join(thread, 0);
    MPI_Finalize();
    return 0;
}
