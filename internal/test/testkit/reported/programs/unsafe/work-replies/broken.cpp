// reported: hpc/libcircle PR 45, replies with work are sent by MPI_Send; a rank that sends serves nobody, and a circle of large replies hangs
// run: -n 3
#include <mpi.h>
#include <vector>

static void reply(const std::vector<int> &work, int to)
{
    MPI_Send(work.data(), static_cast<int>(work.size()), MPI_INT, to, 2, MPI_COMM_WORLD); // want: deadlock: MPI_Send
}

int main(int argc, char **argv)
{
    int rank, size, dummy = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int asks = (rank + size - 1) % size, asked = (rank + 1) % size;
    MPI_Request ask;
    MPI_Isend(&rank, 1, MPI_INT, asked, 1, MPI_COMM_WORLD, &ask);
    MPI_Recv(&dummy, 1, MPI_INT, asks, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<int> work(100000, rank), got(100000);
    reply(work, asks);
    MPI_Recv(got.data(), 100000, MPI_INT, asked, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&ask, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
