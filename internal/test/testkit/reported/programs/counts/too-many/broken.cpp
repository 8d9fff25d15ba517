// reported: 3dem/relion PR 366, leopoldcambier/tasktorrent PR 13, merthidayetoglu/HiCCL 3: the count of a broadcast is more than an int can hold
#include <mpi.h>
#include <vector>

static std::vector<double> model(16);

int main(int argc, char **argv)
{
    long box = 1400;
    MPI_Init(&argc, &argv);
    long count = box * box * (box / 2 + 1) * 2;
    MPI_Bcast(model.data(), (int)count, MPI_DOUBLE, 0, MPI_COMM_WORLD); // want: count-negative: -1547047296
    // hint: overflow
    MPI_Finalize();
    return 0;
}
// also: rank-died call-failed
