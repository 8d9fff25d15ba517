/* Two threads count in one variable, which checkers of threads report. */
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
    work(NULL);
    pthread_join(other, NULL);
    MPI_Finalize();
    return 0;
}
