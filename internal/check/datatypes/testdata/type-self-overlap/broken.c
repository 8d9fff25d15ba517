/* Blocks of three begin at every second element: each third element belongs to two blocks. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, row[9] = {0};
    MPI_Datatype blocks;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 3, 2, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    if (rank == 0)
        MPI_Send(row, 1, blocks, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(row, 1, blocks, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: MPI_Recv with datatype (`blocks`) a derived type whose elements overlap, so that bytes of buf (`row`) are written twice */
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}
