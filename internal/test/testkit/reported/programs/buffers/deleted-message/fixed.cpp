#include <cstring>
#include <mpi.h>
#include <vector>

static void push(std::vector<char> &packed, MPI_Request *request)
{
    MPI_Isend(packed.data(), (int)packed.size(), MPI_CHAR, 0, 5, MPI_COMM_WORLD, request);
}

int main(int argc, char **argv)
{
    int rank;
    std::vector<char> text(100000);
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        push(text, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(text.data(), (int)text.size(), MPI_CHAR, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
