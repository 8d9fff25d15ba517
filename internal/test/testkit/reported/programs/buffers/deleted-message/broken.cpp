// reported: llnl/axom PR 1908, messages for the root are deleted while they are being sent
#include <cstring>
#include <mpi.h>

static void push(const char *text, int size, MPI_Request *request)
{
    char *packed = new char[size];
    std::memcpy(packed, text, size);
    MPI_Isend(packed, size, MPI_CHAR, 0, 5, MPI_COMM_WORLD, request); // want: buffer-freed: freed
    delete[] packed;
}

int main(int argc, char **argv)
{
    int rank;
    static char text[100000];
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        push(text, sizeof text, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Recv(text, sizeof text, MPI_CHAR, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
// also: rank-died
