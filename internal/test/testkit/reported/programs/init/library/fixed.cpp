#include <mpi.h>

namespace library {
void start(MPI_Comm comm)
{
    int rank, started;
    MPI_Initialized(&started);
    if (!started)
        MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(comm, &rank);
}
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    library::start(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
