/* reported: pmodels/mpich 4627, an address is kept in an int before displacements are computed from it */
#include <mpi.h>
#include <stdlib.h>

struct state {
    double x[3];
    int n;
};

int main(int argc, char **argv)
{
    struct state *s;
    int base, lengths[] = {3, 1};
    MPI_Aint at[2];
    MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT}, state;

    MPI_Init(&argc, &argv);
    s = calloc(1, sizeof *s);
    MPI_Get_address(s->x, &at[0]);
    MPI_Get_address(&s->n, &at[1]);
    base = at[0];
    at[0] -= base;
    at[1] -= base;
    MPI_Type_create_struct(2, lengths, at, types, &state);
    MPI_Type_commit(&state);
    MPI_Bcast(s, 1, state, 0, MPI_COMM_WORLD); /* want: type-bottom: displacements */
    MPI_Type_free(&state);
    free(s);
    MPI_Finalize();
    return 0;
}
/* also: rank-died */
