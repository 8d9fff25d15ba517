#include <mpi.h>
#include <vector>

static int packed_size(int sampling) { return 12 * (1 << 2 * sampling); }

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int sampling = 3;
    std::vector<double> sums(packed_size(sampling));
    if (rank == 0)
        MPI_Send(sums.data(), (int)sums.size(), MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    else
        MPI_Recv(sums.data(), (int)sums.size(), MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
