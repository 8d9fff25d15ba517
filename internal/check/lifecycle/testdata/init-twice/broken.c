/* The library initialises MPI, and so does main. */
#include <mpi.h>
#include <stddef.h>

static void library_begin(void)
{
    MPI_Init(NULL, NULL); /* want: calls MPI_Init again: MPI is already initialised */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    library_begin();
    MPI_Finalize();
    return 0;
}
