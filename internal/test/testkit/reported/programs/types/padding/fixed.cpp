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
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, members, cell;
    Cell cells[4] = {};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, at, types, &members);
    MPI_Type_create_resized(members, 0, sizeof(Cell), &cell);
    MPI_Type_free(&members);
    MPI_Type_commit(&cell);
    if (rank == 0)
        MPI_Send(cells, 4, cell, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(cells, 4, cell, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&cell);
    MPI_Finalize();
    return 0;
}
