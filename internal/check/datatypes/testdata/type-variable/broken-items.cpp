/* run: -n 2
   Datatypes that are smaller than the items of an array, and a pair for a single number. */
#include <cstddef>
#include <mpi.h>
#include <vector>

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
    char raw[256];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, lengths, at, types, &cell);
    MPI_Type_commit(&cell);
    std::vector<long> totals(8, 1);
    int n = (int)totals.size() / 2;
    if (rank == 0) {
        MPI_Send(cells, 4, cell, 1, 0, MPI_COMM_WORLD); /* want: with buf (`cells`) and datatype (`cell`) that differ: an item of `cells` has 24 bytes, and the datatype repeats itself after 16 */
        MPI_Send(totals.data(), (int)n, MPI_LONG_INT, 1, 0, MPI_COMM_WORLD); /* want: MPI_LONG_INT */
    } else {
        MPI_Recv(raw, 4, cell, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(raw, 8, MPI_LONG_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&cell);
    MPI_Finalize();
}
