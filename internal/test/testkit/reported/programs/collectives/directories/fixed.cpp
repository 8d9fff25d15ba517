// run: -n 3
#include <mpi.h>
#include <string>

static std::string make_directory(const std::string &path)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (path.empty())
        return ".";
    MPI_Barrier(MPI_COMM_WORLD);
    return path;
}

int main(int argc, char **argv)
{
    double time = 1, slowest = 0;
    MPI_Init(&argc, &argv);
    make_directory("");
    MPI_Reduce(&time, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
