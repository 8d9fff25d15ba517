/* Datatypes that were never made: their variables are 0, which in some MPI libraries is a null pointer. */
#include <mpi.h>

static MPI_Datatype row, both[2];

int main(int argc, char **argv)
{
    int a[4] = {0}, lengths[] = {1, 1}, size;
    MPI_Aint places[] = {0, 4};
    MPI_Datatype made;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* also: call-failed */
    MPI_Bcast(a, 1, row, 0, MPI_COMM_WORLD); /* want: Rank 0 calls MPI_Bcast with datatype (`row`) a handle that is not a valid datatype. */
    MPI_Type_size(row, &size);               /* want: Rank 0 calls MPI_Type_size with datatype (`row`) a handle that is not a valid datatype. */
    both[0] = MPI_INT;
    MPI_Type_create_struct(2, lengths, places, both, &made); /* want: Rank 0 calls MPI_Type_create_struct with array_of_types (`both`)[1] a handle that is not a valid datatype. */
    MPI_Finalize();
    return 0;
}
