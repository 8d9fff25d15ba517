/* The buffer is detached by a function that cleans up, and again at the end. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size;
    void *old;

    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(malloc(10000), 10000);
    MPI_Buffer_detach(&old, &size);
    MPI_Buffer_detach(&old, &size); /* want: calls MPI_Buffer_detach while no buffer is attached */
    MPI_Finalize();                 /* note: it was detached by MPI_Buffer_detach at main (broken-twice.c:12) */
    return 0;
}
