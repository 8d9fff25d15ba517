// reported: cwpearson/stencil 8, dealii/dealii 2951, arborx/ArborX PR 347: an object with a communicator outlives MPI_Finalize
#include <mpi.h>

class Topology {
public:
    explicit Topology(MPI_Comm parent) { MPI_Comm_dup(parent, &comm); }
    ~Topology() { MPI_Comm_free(&comm); } // want: outside-mpi: MPI_Finalize
    // hint: before
private:
    MPI_Comm comm;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    Topology topology(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
// also: rank-died
