/* An access behind a block of the heap, which memory checkers report. */
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    volatile int *block = malloc(4 * sizeof *block);
    block[argc + 3] = 1;
    free((void *)block);
    MPI_Finalize();
    return 0;
}
