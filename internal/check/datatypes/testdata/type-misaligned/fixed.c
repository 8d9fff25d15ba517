/* The compiler says where `mass` is. */
#include <mpi.h>
#include <stddef.h>

struct particle {
    int kind;
    double mass;
};

int main(int argc, char **argv)
{
    struct particle p[4] = {{0, 0}};
    int rank, lengths[] = {1, 1};
    MPI_Aint at[] = {offsetof(struct particle, kind), offsetof(struct particle, mass)};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, fields, particle;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, at, types, &fields);
    MPI_Type_create_resized(fields, 0, sizeof(struct particle), &particle);
    MPI_Type_commit(&particle);
    if (rank == 0)
        MPI_Send(p, 4, particle, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(p, 4, particle, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&fields);
    MPI_Type_free(&particle);
    MPI_Finalize();
    return 0;
}
