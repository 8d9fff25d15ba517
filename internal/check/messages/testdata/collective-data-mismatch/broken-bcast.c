/* run: -n 3 */
/* The root broadcasts four doubles; the others expect integers. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    double data[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Bcast(data, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    else
        MPI_Bcast(data, 8, MPI_INT, 0, MPI_COMM_WORLD); /* want: in MPI_Bcast */
    MPI_Finalize();
    return 0;
}
