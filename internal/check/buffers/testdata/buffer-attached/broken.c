/* The buffer is made larger without giving the first one back. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int size;
    void *old;

    MPI_Init(&argc, &argv);
    MPI_Buffer_attach(malloc(10000), 10000);
    MPI_Buffer_attach(malloc(20000), 20000); /* want: calls MPI_Buffer_attach while another buffer is attached */
    MPI_Buffer_detach(&old, &size);          /* note: that one was attached by MPI_Buffer_attach at main (broken.c:11) */
    free(old);
    MPI_Finalize();
    return 0;
}
