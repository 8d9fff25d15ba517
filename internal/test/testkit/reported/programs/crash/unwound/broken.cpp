// reported: CompFUSE/DCA PR 26, geodynamics/aspect PR 4988: a caught exception unwinds to the destructor that finalises MPI, the other ranks wait
// run: -n 3
#include <cstdio>
#include <mpi.h>
#include <stdexcept>

class Session {
public:
    Session(int *argc, char ***argv) { MPI_Init(argc, argv); }
    ~Session() { MPI_Finalize(); } // want: deadlock: MPI_Finalize
};

static void read_input(int rank)
{
    if (rank == 0)
        throw std::runtime_error("no input file");
}

int main(int argc, char **argv)
{
    try {
        Session session(&argc, &argv);
        int rank, n = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        read_input(rank);
        MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD); // want: deadlock: MPI_Bcast
    } catch (const std::exception &e) {
        std::fprintf(stderr, "%s\n", e.what());
    }
    return 0;
}
