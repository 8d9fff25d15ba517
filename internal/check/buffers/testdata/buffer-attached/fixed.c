/* The first buffer is detached before the second one is attached. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size;
    void *old;

    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(malloc(10000), 10000);
    MPI_Buffer_detach(&old, &size);
    free(old);
    MPI_Buffer_attach(malloc(20000), 20000);
    MPI_Buffer_detach(&old, &size);
    free(old);
    MPI_Finalize();
    return 0;
}
