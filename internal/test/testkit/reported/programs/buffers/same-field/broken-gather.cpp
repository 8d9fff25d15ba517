// run: -n 3
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<double> wells(6, rank);
    MPI_Gather(wells.data(), 2, MPI_DOUBLE, wells.data(), 2, MPI_DOUBLE, 0, MPI_COMM_WORLD); // want: buffer-overlap: MPI_Gather
    // hint: MPI_IN_PLACE
    MPI_Finalize();
    return 0;
}
// also: rank-died call-failed
