/* run: -n 2 */
/* The other thread calls MPI while the main thread waits for it. The program requests what that needs. */
#include <mpi.h>
#include <pthread.h>

static void *sum(void *value)
{
    int mine = *(int *)value;
    MPI_Allreduce(&mine, value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int value = 1, provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    if (provided < MPI_THREAD_SERIALIZED)
        MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_create(&thread, NULL, sum, &value);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return value != 2;
}
