// Data is packed into memory that has room for it, though the size that MPI_Pack is given is that of a larger buffer in one place.
#include <mpi.h>
#include <vector>

static char packed[84];

static double potential[10];

int main(int argc, char **argv)
{
    int at = 0, n = 3;
    char local[32];
    MPI_Init(&argc, &argv);
    MPI_Pack(&n, 1, MPI_INT, packed, sizeof packed, &at, MPI_COMM_SELF);
    MPI_Pack(potential, 10, MPI_DOUBLE, packed, sizeof packed, &at, MPI_COMM_SELF);
    at = 16;
    MPI_Pack(potential, 2, MPI_DOUBLE, local, sizeof local, &at, MPI_COMM_SELF);
    at = 0;
    MPI_Pack(potential, 2, MPI_DOUBLE, local + 16, 16, &at, MPI_COMM_SELF);
    std::vector<char> grows(84);
    at = 0;
    MPI_Pack(potential, 10, MPI_DOUBLE, grows.data(), (int)grows.size(), &at, MPI_COMM_SELF);
    at = 4;
    MPI_Unpack(packed, sizeof packed, &at, potential, 10, MPI_DOUBLE, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
