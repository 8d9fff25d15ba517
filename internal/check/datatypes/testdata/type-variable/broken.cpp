// Variables of C++ of another size than the datatype, or integers where it has floating-point numbers; a container instead of its data.
#include <cstddef>
#include <mpi.h>
#include <vector>

struct particle { int id; double mass; long steps; };

template <class T> struct field {
    std::vector<T> cells;
    void spread() { MPI_Bcast(cells.data(), (int)cells.size() - 1, MPI_FLOAT, 0, MPI_COMM_WORLD); } // want: `cells.data()` points to double (8 bytes), MPI_FLOAT is float (4 bytes)
    void sum() { MPI_Allreduce(MPI_IN_PLACE, &cells[0], (int)cells.size(), MPI_INT, MPI_SUM, MPI_COMM_WORLD); } // want: `cells[0]` is double (8 bytes), MPI_INT is int (4 bytes)
};

static long count_boxes(int rank)
{
    long total = rank == 0 ? 5000000000L : 0;
    MPI_Bcast(&total, 1, MPI_INT, 0, MPI_COMM_WORLD); // want: MPI_Bcast with buffer (`&total`) and datatype that differ: `total` is long (8 bytes), MPI_INT is int (4 bytes).
    return total;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv); // run: -n 2
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::size_t n = 3;
    float scale = 2;
    particle p = {rank, 1, 2};
    double *values = new double[8]();
    field<double> f;
    f.cells.resize(4);
    count_boxes(rank);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);       // want: `n` is size_t (8 bytes), MPI_INT is int (4 bytes)
    MPI_Bcast(&scale, 1, MPI_INT, 0, MPI_COMM_WORLD);   // want: `scale` is float (4 bytes), MPI_INT is int (4 bytes)
    MPI_Bcast(&p.steps, 1, MPI_INT, 0, MPI_COMM_WORLD); // want: pass MPI_LONG for long
    MPI_Bcast(&values, 1, MPI_DOUBLE, 0, MPI_COMM_SELF); // want: pass the address of the data, not that of the pointer to it
    f.spread();
    f.sum();
    delete[] values;
    MPI_Finalize();
}
