#include <mpi.h>

class Topology {
public:
    explicit Topology(MPI_Comm parent) { MPI_Comm_dup(parent, &comm); }
    ~Topology() { MPI_Comm_free(&comm); }
private:
    MPI_Comm comm;
};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        Topology topology(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
