#include <algorithm>
#include <mpi.h>
#include <vector>

static std::vector<double> model(1600);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const std::size_t most = 1000;
    for (std::size_t at = 0; at < model.size(); at += most)
        MPI_Bcast(model.data() + at, (int)std::min(most, model.size() - at), MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
