/* A duplicate is as committed as the datatype that it was made from, and what MPI_Type_get_contents gives may be. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int n, a, d, combiner, ints[8], b[4] = {0};
    MPI_Aint addresses[8];
    MPI_Datatype inner, row, twin, parts[8];

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &inner);
    MPI_Type_commit(&inner);
    MPI_Type_contiguous(2, inner, &row);
    MPI_Type_commit(&row);
    MPI_Type_dup(row, &twin);
    MPI_Bcast(b, 1, twin, 0, MPI_COMM_WORLD);
    MPI_Type_free(&inner);
    MPI_Type_get_envelope(row, &n, &a, &d, &combiner);
    MPI_Type_get_contents(row, n, a, d, ints, addresses, parts);
    MPI_Type_commit(&parts[0]);
    MPI_Bcast(b, 2, parts[0], 0, MPI_COMM_WORLD);
    MPI_Type_free(&parts[0]);
    MPI_Type_free(&twin);
    MPI_Type_free(&row);
    MPI_Finalize();
    return 0;
}
