// reported: llnl/RAJAPerf PR 243, OpenMDAO/OpenMDAO PR 3097: rank 0 returns early from the function that makes directories, before its barrier
// run: -n 3
#include <mpi.h>
#include <string>

static std::string make_directory(const std::string &path)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && path.empty())
        return ".";
    MPI_Barrier(MPI_COMM_WORLD); // want: collective-mismatch: MPI_Barrier
    return path;
}

int main(int argc, char **argv)
{
    double time = 1, slowest = 0;
    MPI_Init(&argc, &argv);
    make_directory("");
    MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD); // want: collective-mismatch: MPI_Reduce
    MPI_Finalize();
    return 0;
}
