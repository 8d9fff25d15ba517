/* The library asks first. */
#include <mpi.h>
#include <stddef.h>

static void library_begin(void)
{
    int begun;

    MPI_Initialized(&begun);
    if (!begun)
        MPI_Init(NULL, NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    library_begin();
    MPI_Finalize();
    return 0;
}
