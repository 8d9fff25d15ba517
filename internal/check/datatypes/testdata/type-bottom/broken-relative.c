/* The displacements have been made relative, and MPI_BOTTOM stayed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    struct { int kind; double mass; } p = {0, 0};
    int rank, lengths[] = {1, 1};
    MPI_Aint at[2];
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, particle;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Get_address(&p.kind, &at[0]);
    MPI_Get_address(&p.mass, &at[1]);
    at[1] -= at[0];
    at[0] = 0;
    MPI_Type_create_struct(2, lengths, at, types, &particle);
    MPI_Type_commit(&particle);
    if (rank == 0)
        MPI_Send(MPI_BOTTOM, 1, particle, 1, 0, MPI_COMM_WORLD); /* want: with buf MPI_BOTTOM and datatype (`particle`) a derived type with relative displacements: its data would begin at address 0 */
    else
        MPI_Recv(&p, 1, particle, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&particle);
    MPI_Finalize();
    return 0;
}
