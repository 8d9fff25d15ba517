/* A predefined operator does not work on a derived datatype. */
#include <mpi.h>

int main(int argc, char **argv)
{
    double a[2] = {1, 2}, b[2];
    MPI_Datatype pair;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    MPI_Allreduce(a, b, 1, pair, MPI_SUM, MPI_COMM_WORLD); /* want: MPI_SUM and a derived datatype */
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
