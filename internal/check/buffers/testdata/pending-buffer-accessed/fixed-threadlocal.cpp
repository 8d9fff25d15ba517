// Thread-local variables of C++ when the receive is complete.
// run: -n 2
// by: unknot -O2
#include <array>
#include <mpi.h>

namespace {

int rank, other;
volatile double sink;
MPI_Request request;

struct Counter {
    static thread_local std::array<int, 16> values;
    int kept = 0;
    Counter() : kept(1) {}
};
thread_local std::array<int, 16> Counter::values;
thread_local Counter counter; // made when the thread uses it first

void finish(int n)
{
    const std::array<int, 16> data{};
    MPI_Send(data.data(), n, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;

    MPI_Irecv(Counter::values.data(), 16, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    finish(16);
    sink = Counter::values[5];

    MPI_Irecv(&counter.kept, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    finish(1);
    counter.kept = 4;
    MPI_Finalize();
    return 0;
}
