/* run: -n 2
   The same datatypes, resized, of one item, and with a struct for the pair. */
#include <cstddef>
#include <mpi.h>
#include <vector>

struct Cell {
    int id;
    double volume;
    int flags;
};

struct Pair {
    long value;
    int rank;
};

int main(int argc, char **argv)
{
    int rank, lengths[] = {1, 1};
    MPI_Aint at[] = {offsetof(Cell, id), offsetof(Cell, volume)};
    MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE}, part, cell;
    Cell cells[4] = {};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, at, types, &part);
    MPI_Type_create_resized(part, 0, sizeof(Cell), &cell);
    MPI_Type_commit(&part);
    MPI_Type_commit(&cell);
    std::vector<Pair> totals(4);
    for (auto &total : totals)
        total = {rank, rank};
    MPI_Bcast(cells, 4, cell, 0, MPI_COMM_WORLD);
    MPI_Bcast(&cells[1], 1, part, 0, MPI_COMM_WORLD);
    MPI_Bcast(totals.data(), (int)totals.size(), MPI_LONG_INT, 0, MPI_COMM_WORLD);
    MPI_Type_free(&cell);
    MPI_Type_free(&part);
    MPI_Finalize();
}
