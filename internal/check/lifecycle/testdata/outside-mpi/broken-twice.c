/* Two threads finalise MPI, each for itself. */
/* also: thread-level */
#include <mpi.h>
#include <pthread.h>

static void *last(void *arg)
{
    MPI_Finalize(); /* want: MPI_Finalize */
    return arg;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], 0, last, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], 0);
    return 0;
}
