// reported: OpenChemistry/stempy PR 293, each worker sends a size and then its map; the sizes of two workers follow each other at a receive from any source
// run: -n 3
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int worker = 1; worker < size; worker++) {
            int bytes;
            MPI_Recv(&bytes, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            std::vector<char> map(bytes);
            MPI_Recv(map.data(), bytes, MPI_CHAR, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // want: message-race: MPI_ANY_SOURCE
        }
    } else {
        int bytes = 4 * rank;
        std::vector<char> map(bytes);
        MPI_Send(&bytes, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(map.data(), bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
// also: message-truncated rank-died call-failed status-ignored buffer-outside
