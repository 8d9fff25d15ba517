/* The extent is that of one element, so that the columns of a gathered matrix lie over each other by rows. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, matrix[4][4] = {{0}};
    MPI_Datatype rows, narrow;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(4, MPI_INT, &rows);
    MPI_Type_create_resized(rows, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    MPI_Bcast(matrix, 3, narrow, 0, MPI_COMM_WORLD); /* want: Rank 1 calls MPI_Bcast with datatype (`narrow`) a derived type whose elements overlap */
    MPI_Type_free(&rows);
    MPI_Type_free(&narrow);
    MPI_Finalize();
    return 0;
}
