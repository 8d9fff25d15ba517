// Fixed: rank 0 sends first and rank 1 receives first.
#include <mpi.h>
#include <vector>

namespace {

class Halo {
public:
    explicit Halo(int neighbour) : neighbour_(neighbour), cells_(16) {}

    void receive()
    {
        MPI_Recv(cells_.data(), size(), MPI_DOUBLE, neighbour_, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    void send() const { MPI_Send(cells_.data(), size(), MPI_DOUBLE, neighbour_, 0, MPI_COMM_WORLD); }

private:
    int size() const { return static_cast<int>(cells_.size()); }

    int neighbour_;
    std::vector<double> cells_;
};

} // namespace

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    Halo halo(1 - rank);
    if (rank == 0)
        halo.send();
    halo.receive();
    if (rank == 1)
        halo.send();

    MPI_Finalize();
    return 0;
}
