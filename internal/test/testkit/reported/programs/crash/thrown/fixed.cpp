// run: -n 3
#include <mpi.h>
#include <stdexcept>

class Cells {
public:
    explicit Cells(int rank) : rank(rank) {}
    void interact()
    {
        if (rank == 2)
            throw std::runtime_error("a cell left the domain");
    }

private:
    int rank;
};

int main(int argc, char **argv)
{
    int rank, failed = 0, any;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        Cells(rank).interact();
    } catch (const std::exception &) {
        failed = 1;
    }
    MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
