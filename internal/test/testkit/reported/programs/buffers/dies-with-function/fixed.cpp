// run: -n 3
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank, size, in[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    std::vector<int> bounds(8, rank);
    std::vector<MPI_Request> requests(size);
    for (int to = 0; to < size; to++)
        MPI_Isend(bounds.data(), 8, MPI_INT, to, 3, MPI_COMM_WORLD, &requests[to]);
    for (int from = 0; from < size; from++)
        MPI_Recv(in, 8, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(size, requests.data(), MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
