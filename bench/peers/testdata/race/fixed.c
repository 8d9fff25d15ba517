/* Two threads count in one variable, one after the other. */
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

static int count;

static void *work(void *none)
{
    for (int i = 0; i < 1000; i++)
        count++;
    return none;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(other, NULL);
    work(NULL);
    MPI_Finalize();
    return 0;
}
