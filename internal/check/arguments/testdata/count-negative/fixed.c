/* The number of elements is the end less the begin. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[8] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int begin = 4 * rank, end = begin + 4;
    MPI_Bcast(data + begin, end - begin, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
