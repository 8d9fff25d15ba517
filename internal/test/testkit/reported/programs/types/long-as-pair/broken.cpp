// reported: llnl/Aluminum PR 94, a template gives MPI_LONG_INT, the pair of the MINLOC operations, for a long
#include <mpi.h>
#include <vector>

template <typename T> MPI_Datatype type_of();
template <> MPI_Datatype type_of<int>() { return MPI_INT; }
template <> MPI_Datatype type_of<long>() { return MPI_LONG_INT; }

template <typename T> void broadcast(std::vector<T> &data, MPI_Comm comm)
{
    MPI_Bcast(data.data(), (int)data.size(), type_of<T>(), 0, comm); // want: type-variable: MPI_LONG_INT
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    std::vector<int> sizes(4, 1);
    std::vector<long> totals(4, 1);
    broadcast(sizes, MPI_COMM_WORLD);
    broadcast(totals, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
// also: buffer-outside rank-died
