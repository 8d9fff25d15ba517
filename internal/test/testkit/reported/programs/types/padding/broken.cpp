// reported: SeisSol/SeisSol PR 1379, the datatype of a structure is smaller than the structure, so only the first element of an array is right
#include <cstddef>
#include <cstdio>
#include <mpi.h>

struct Cell {
    int id;
    double volume;
    int flags; // stays at home
};

int main(int argc, char **argv)
{
    int rank, lengths[] = {1, 1};
    MPI_Aint at[] = {offsetof(Cell, id), offsetof(Cell, volume)};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, cell;
    Cell cells[4] = {};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, at, types, &cell);
    MPI_Type_commit(&cell);
    if (rank == 0)
        MPI_Send(cells, 4, cell, 1, 0, MPI_COMM_WORLD); // want: type-variable: `cells`
    // hint: MPI_Type_create_resized
    else
        MPI_Recv(cells, 4, cell, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&cell);
    MPI_Finalize();
    return 0;
}
