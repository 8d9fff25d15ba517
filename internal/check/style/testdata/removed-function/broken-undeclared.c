/* Open MPI has MPI_Type_struct, though its mpi.h does not declare it; what that makes may have the handle of what was freed. */
/* only: openmpi */
#include <mpi.h>
#undef MPI_Type_struct
int old_struct(int n, int *lengths, MPI_Aint *at, MPI_Datatype *types, MPI_Datatype *made) __asm__("MPI_Type_struct");

int main(int argc, char **argv)
{
    int a[4] = {0}, length = 4;
    MPI_Aint at = 0;
    MPI_Datatype row, type = MPI_INT;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 20; i++) {
        MPI_Type_contiguous(4, MPI_INT, &row);
        MPI_Type_commit(&row);
        MPI_Bcast(a, 1, row, 0, MPI_COMM_WORLD);
        MPI_Type_free(&row);
        old_struct(1, &length, &at, &type, &row); /* want: MPI_Type_struct, which MPI-3.0 has removed; use MPI_Type_create_struct instead */
        MPI_Type_commit(&row);
        MPI_Bcast(a, 1, row, 0, MPI_COMM_WORLD);
        MPI_Type_free(&row);
    }
    MPI_Finalize();
    return 0;
}
