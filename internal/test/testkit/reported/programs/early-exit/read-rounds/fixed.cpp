// run: -n 4
#include <mpi.h>
#include <vector>

static bool readBlock(int rank, int round) { return !(rank == 2 && round == 1); }

static bool exchange(int rank, int size)
{
    bool good = true;
    std::vector<int> out(size, rank), in(size);
    for (int round = 0; round < 3; round++) {
        good = good && readBlock(rank, round);
        MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, MPI_COMM_WORLD);
    }
    return good;
}

int main(int argc, char **argv)
{
    int rank, size, good, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    good = exchange(rank, size);
    MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
