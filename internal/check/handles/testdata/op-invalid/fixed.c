/* The masks are integers. */
#include <mpi.h>

int main(int argc, char **argv)
{
    double mask = 1, all;
    unsigned bits = 1, both;

    MPI_Init(&argc, &argv);
    MPI_Allreduce(&bits, &both, 1, MPI_UNSIGNED, MPI_BOR, MPI_COMM_WORLD);
    (void)mask, (void)all;
    MPI_Finalize();
    return 0;
}
