// Vectors grow, are filled anew and go while their elements are being sent: seen without options.
#include <mpi.h>
#include <vector>

int main(int argc, char **argv)
{
    int rank, got[1000];

    MPI_Init(&argc, &argv); // run: -n 2
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int other = 1 - rank;
    MPI_Request r[3];
    std::vector<int> grown(1000), filled(1000);
    MPI_Isend(grown.data(), 1000, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]); // want: MPI_Isend with buf (`grown.data()`), and that memory is freed before the operation is completed
    grown.push_back(1); // note: it was freed by std::vector::push_back at main (broken-grown.cpp:15)
    MPI_Irecv(filled.data(), 1000, MPI_INT, other, 1, MPI_COMM_WORLD, &r[1]); // want: MPI_Irecv with buf (`filled.data()`), and that memory is freed before the operation is completed
    filled.assign(5000, 2); // note: it was freed by std::vector::assign at main (broken-grown.cpp:17)
    MPI_Isend(std::vector<int>(1000).data(), 1000, MPI_INT, other, 2, MPI_COMM_WORLD, &r[2]); // want: a temporary, which lives only as long as the statement
    MPI_Recv(got, 1000, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(got, 1000, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Cancel(&r[1]);
    MPI_Waitall(3, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
