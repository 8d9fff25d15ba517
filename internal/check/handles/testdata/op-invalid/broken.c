/* MPI_BOR works on integers, not on floating-point numbers. */
#include <mpi.h>

int main(int argc, char **argv)
{
    double mask = 1, all;
    unsigned bits = 1, both;

    MPI_Init(&argc, &argv);
    MPI_Allreduce(&mask, &all, 1, MPI_DOUBLE, MPI_BOR, MPI_COMM_WORLD); /* want: MPI_Allreduce with op MPI_BOR, which is not defined for MPI_DOUBLE */
    (void)bits, (void)both;
    MPI_Finalize();
    return 0;
}
