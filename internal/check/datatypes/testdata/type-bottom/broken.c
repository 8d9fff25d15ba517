/* The displacements are addresses, yet the structure's address is given once more. */
#include <mpi.h>

struct particle {
    int kind;
    double mass;
};

int main(int argc, char **argv)
{
    struct particle p = {0, 0};
    int lengths[] = {1, 1};
    MPI_Aint at[2];
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, particle;

    MPI_Init(&argc, &argv);
    MPI_Get_address(&p.kind, &at[0]);
    MPI_Get_address(&p.mass, &at[1]);
    MPI_Type_create_struct(2, lengths, at, types, &particle);
    MPI_Type_commit(&particle);
    MPI_Bcast(&p, 1, particle, 0, MPI_COMM_WORLD); /* want: MPI_Bcast with buffer (`&p`) that is not MPI_BOTTOM and datatype (`particle`) a derived type whose displacements are addresses: the two are added */
    MPI_Type_free(&particle);
    MPI_Finalize();
    return 0;
}
