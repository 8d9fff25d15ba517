/* The displacements leave out the padding that the compiler puts before `mass`. */
#include <mpi.h>

struct particle {
    int kind;
    double mass;
};

int main(int argc, char **argv)
{
    struct particle p[4] = {{0, 0}};
    int rank, lengths[] = {1, 1};
    MPI_Aint at[] = {0, sizeof(int)};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, particle;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, at, types, &particle);
    MPI_Type_commit(&particle);
    if (rank == 0)
        MPI_Send(p, 4, particle, 1, 0, MPI_COMM_WORLD); /* want: MPI_Send with datatype (`particle`) a derived type in which item 1, block 2 (MPI_DOUBLE) is at an address that is not a multiple of 8, 4 bytes after buf (`p`) */
    else if (rank == 1)
        MPI_Recv(p, 4, particle, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* want: MPI_Recv with datatype (`particle`) a derived type in which item 1, block 2 (MPI_DOUBLE) */
    MPI_Type_free(&particle);
    MPI_Finalize();
    return 0;
}
