// reported: openmc-dev/openmc 808, TheHPXProject/hpx PR 4300, cselab/Mirheo PR 159, OpenSees/OpenSees PR 682: a library initialises MPI, which the program has done
#include <mpi.h>

namespace library {
void start(MPI_Comm comm)
{
    int rank;
    MPI_Init(nullptr, nullptr); // want: init-twice: MPI_Init
    // hint: MPI_Initialized
    MPI_Comm_rank(comm, &rank);
}
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    library::start(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
// also: rank-died call-failed
