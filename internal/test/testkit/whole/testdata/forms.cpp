// The same in C++, where a communicator of its own has other ranks than MPI_COMM_WORLD: a plan names the communicator's.
#include <cstdio>
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Comm turned; // 0, 2, 1
    MPI_Status s;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, rank == 0 ? 0 : 3 - rank, &turned);
    if (rank == 0) {
        int met[2];
        MPI_Probe(1, 0, turned, MPI_STATUS_IGNORE);
        MPI_Probe(2, 0, turned, MPI_STATUS_IGNORE);
        for (int &m : met) {
            MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, turned, &s);
            m = s.MPI_SOURCE;
            if (x != 3 - m)
                std::printf("message of %d, status says %d\n", x, m);
        }
        std::printf("MPI_Recv met %d %d\n", met[0], met[1]);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, turned);
    }
    MPI_Comm_free(&turned);
    MPI_Finalize();
    return 0;
}
