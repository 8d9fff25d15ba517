/* only: mpich */
/* A function that MPI-3.0 has removed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x[4];
    MPI_Aint at;

    MPI_Init(&argc, &argv);
    MPI_Address(x, &at); /* want: MPI_Address, which MPI-3.0 has removed; use MPI_Get_address instead */
    MPI_Finalize();
    return 0;
}
