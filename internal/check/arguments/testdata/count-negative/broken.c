/* The part of each rank is computed the wrong way round. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[8] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int begin = 4 * rank, end = begin + 4;
    MPI_Bcast(data + begin, begin - end, MPI_INT, 0, MPI_COMM_SELF); /* want: MPI_Bcast with count (`begin - end`) -4; it must be 0 or more */
    MPI_Finalize();
    return 0;
}
