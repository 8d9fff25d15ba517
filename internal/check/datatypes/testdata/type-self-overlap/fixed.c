/* What overlaps is sent; what is received has memory of its own. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, row[9] = {0}, parts[12];
    MPI_Datatype blocks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 3, 2, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    if (rank == 0)
        MPI_Send(row, 1, blocks, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(parts, 12, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}
