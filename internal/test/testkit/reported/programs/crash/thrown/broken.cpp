// reported: dealii/dealii 4411, hemelb-codes/hemelb 753, OPM/opm-simulators PR 3556: an exception that one rank throws leaves the others in a collective
// run: -n 3
#include <mpi.h>
#include <stdexcept>

class Cells {
public:
    explicit Cells(int rank) : rank(rank) {}
    void interact()
    {
        if (rank == 2)
            throw std::runtime_error("a cell left the domain"); // want: rank-died: a cell left the domain
    }

private:
    int rank;
};

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    Cells(rank).interact();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
// also: deadlock
