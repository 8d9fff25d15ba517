// run: -n 3
#include <cstdio>
#include <mpi.h>
#include <stdexcept>

class Session {
public:
    Session(int *argc, char ***argv) { MPI_Init(argc, argv); }
    ~Session() { MPI_Finalize(); }
};

static void read_input(int rank)
{
    if (rank == 0)
        throw std::runtime_error("no input file");
}

int main(int argc, char **argv)
{
    Session session(&argc, &argv);
    int rank, n = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        read_input(rank);
    } catch (const std::exception &e) {
        n = -1;
    }
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return 0;
}
