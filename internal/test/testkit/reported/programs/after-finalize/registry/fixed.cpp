#include <mpi.h>

struct Registry {
    bool running = false;
    ~Registry()
    {
        if (running)
            MPI_Barrier(MPI_COMM_WORLD);
    }
};

static Registry registry;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    registry.running = true;
    registry.running = false;
    MPI_Finalize();
    return 0;
}
