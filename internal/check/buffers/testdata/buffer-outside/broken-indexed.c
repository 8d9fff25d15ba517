/* run: -n 1
   Displacements of blocks in an int that overflows, for a type in elements and for one in bytes. The types are not used. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int lengths[3] = {1, 1, 1}, displs[3];
    unsigned at = 0;
    MPI_Aint bytes[3];
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        displs[i] = (int)at;
        bytes[i] = displs[i];
        at += 1100000000u;
    }
    MPI_Type_indexed(3, lengths, displs, MPI_DOUBLE, &type); /* want: calls MPI_Type_indexed with array_of_displacements (`displs`) in which element 2 is -2094967296: an int has overflowed, as 2200000000 does not fit */
    MPI_Type_free(&type);
    MPI_Type_create_hindexed(3, lengths, bytes, MPI_DOUBLE, &type); /* want: in which element 2 is -2094967296 */
    MPI_Type_free(&type);
    MPI_Type_create_indexed_block(3, 1, displs, MPI_DOUBLE, &type); /* want: in which element 2 is -2094967296 */
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
