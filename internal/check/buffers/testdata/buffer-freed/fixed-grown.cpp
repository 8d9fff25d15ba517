// Memory is freed and moved between and beside operations, never while one uses it.
#include <mpi.h>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv); // run: -n 2
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int other = 1 - rank;
    std::vector<int> grown(1000), got(1000);
    for (int i = 0; i < 3; i++) {
        MPI_Request r[2];
        MPI_Irecv(got.data(), 1000, MPI_INT, other, 0, MPI_COMM_WORLD, &r[0]);
        MPI_Isend(grown.data(), 1000, MPI_INT, other, 0, MPI_COMM_WORLD, &r[1]);
        std::vector<int> beside(1000, i);
        beside.assign(20000, i);
        void *p = realloc(malloc(16), 1 << 20);
        free(p);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        grown.assign(2000 * (i + 1), i);
        got = std::vector<int>(1000);
    }
    int *one = static_cast<int *>(malloc(4096));
    MPI_Request persistent;
    one[0] = one[1] = 0;
    MPI_Send_init(one, 2, MPI_INT, other, 1, MPI_COMM_WORLD, &persistent);
    MPI_Start(&persistent);
    MPI_Recv(got.data(), 2, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    free(one); // it is not started again
    MPI_Request_free(&persistent);
    MPI_Finalize();
    return 0;
}
