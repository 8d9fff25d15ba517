// reported: precice/precice 1635, an event of a static registry ends in its destructor with a barrier
#include <mpi.h>

struct Registry {
    bool running = false;
    ~Registry()
    {
        if (running)
            MPI_Barrier(MPI_COMM_WORLD); // want: outside-mpi: MPI_Finalize
    }
};

static Registry registry;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    registry.running = true;
    MPI_Finalize();
    return 0;
}
// also: rank-died
