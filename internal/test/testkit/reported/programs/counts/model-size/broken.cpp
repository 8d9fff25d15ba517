// reported: 3dem/relion 1319 and 1052, two ranks compute the size of the weighted sums from samplings that differ
#include <mpi.h>
#include <vector>

static int packed_size(int sampling) { return 12 * (1 << 2 * sampling); }

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int sampling = rank == 1 ? 2 : 3;
    std::vector<double> sums(packed_size(sampling));
    if (rank == 0)
        MPI_Send(sums.data(), (int)sums.size(), MPI_DOUBLE, 1, 7, MPI_COMM_WORLD);
    else
        MPI_Recv(sums.data(), (int)sums.size(), MPI_DOUBLE, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // want: message-truncated: 192
    MPI_Finalize();
    return 0;
}
// also: rank-died call-failed
