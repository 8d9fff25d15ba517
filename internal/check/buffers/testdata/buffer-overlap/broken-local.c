/* The two buffers of MPI_Reduce_local are one array. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int sum[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Reduce_local(sum, sum + 2, 3, MPI_INT, MPI_SUM); /* want: MPI_Reduce_local with inbuf (`sum`) and inoutbuf (`sum + 2`) in the same memory (4 bytes are in both) */
    MPI_Finalize();
    return 0;
}
