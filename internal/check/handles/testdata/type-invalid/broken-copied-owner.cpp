/* run: -n 2
   A vector that grows copies its elements and destroys the old ones, each of which frees its type: all that follows has that one cause. */
#include <mpi.h>
#include <vector>

class Column {
    MPI_Datatype type;

public:
    explicit Column(int rows)
    {
        MPI_Type_vector(rows, 1, 12, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
    }
    ~Column() { MPI_Type_free(&type); } /* want: calls MPI_Type_free with datatype (`&type`) a datatype that has been freed */
    MPI_Datatype get() const { return type; }
};

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        std::vector<double> field(120);
        std::vector<Column> columns;
        for (int i = 0; i < 4; i++)
            columns.push_back(Column(10));
        MPI_Sendrecv(&field[1], 1, columns[0].get(), 1 - rank, 0, &field[0], 1, columns[0].get(), 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
}
