/* The two buffers of MPI_Reduce_local are parts of one array. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sum[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Reduce_local(sum, sum + 2, 2, MPI_INT, MPI_SUM);
    MPI_Reduce_local(sum, sum, 0, MPI_INT, MPI_SUM);
    MPI_Finalize();
    return 0;
}
