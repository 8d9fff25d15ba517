// A vector goes before the send of its elements is complete.
#include <mpi.h>
#include <vector>

static MPI_Request begin(int to)
{
    std::vector<int> v(100);
    MPI_Request r;

    MPI_Isend(v.data(), 100, MPI_INT, to, 0, MPI_COMM_WORLD, &r); // want: MPI_Isend with buf (`v.data()`), and that memory is freed before the operation is completed
    return r;
} // note: it was freed

int main(int argc, char **argv)
{
    int rank, got[100];

    MPI_Init(&argc, &argv); // run: -n 2 --check-memory
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Request r = begin(1 - rank);
    MPI_Recv(got, 100, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
