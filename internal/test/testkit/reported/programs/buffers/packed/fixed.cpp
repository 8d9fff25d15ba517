#include <mpi.h>

static char packed[128];

int main(int argc, char **argv)
{
    int rank, at = 0, n = 3;
    double potential[10] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Pack(&n, 1, MPI_INT, packed, 128, &at, MPI_COMM_WORLD);
        MPI_Pack(potential, 10, MPI_DOUBLE, packed, 128, &at, MPI_COMM_WORLD);
        MPI_Send(packed, at, MPI_PACKED, 1, 0, MPI_COMM_WORLD);
    } else {
        char room[128];
        MPI_Recv(room, 128, MPI_PACKED, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Unpack(room, 128, &at, &n, 1, MPI_INT, MPI_COMM_WORLD);
        MPI_Unpack(room, 128, &at, potential, 10, MPI_DOUBLE, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
