/* Its successor. */
#include <mpi.h>

int main(int argc, char **argv)
{
    double x[4];
    MPI_Aint at;

    MPI_Init(&argc, &argv);
    MPI_Get_address(x, &at);
    MPI_Finalize();
    return 0;
}
