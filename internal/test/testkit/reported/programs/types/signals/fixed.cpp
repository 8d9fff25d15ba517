#include <cstdint>
#include <cstdio>
#include <mpi.h>

struct Signals {
    int stop = 0;
    std::uint64_t nodes = 7;
};

class Cluster {
public:
    void sum(Signals &local, Signals &global)
    {
        MPI_Request request;
        MPI_Iallreduce(&local.stop, &global.stop, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
};

int main(int argc, char **argv)
{
    Signals local, global;
    MPI_Init(&argc, &argv);
    Cluster().sum(local, global);
    std::printf("%d\n", global.stop);
    MPI_Finalize();
    return 0;
}
