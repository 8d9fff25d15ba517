/* run: -n 2 */
/* The other thread calls MPI while the main thread waits for it. The environment has the library provide what MPI_Init does not request. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

static void *sum(void *value)
{
    int mine = *(int *)value;
    MPI_Allreduce(&mine, value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* want: though the program requests only MPI_THREAD_SINGLE */
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int value = 1;

    setenv("OMPI_MPI_THREAD_LEVEL", "2", 1);
    setenv("MPIR_CVAR_DEFAULT_THREAD_LEVEL", "MPI_THREAD_SERIALIZED", 1);
    MPI_Init(&argc, &argv);
    pthread_create(&thread, NULL, sum, &value);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return value != 2;
}
