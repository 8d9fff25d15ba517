// reported: igfuw/libmpdataxx PR 503, threads fill halos at the same time in a build for MPI_THREAD_SERIALIZED
#include <mpi.h>
#include <thread>

static void fill_halo(int tag, int other)
{
    int halo = 0;
    for (int i = 0; i < 200; i++)
        MPI_Sendrecv_replace(&halo, 1, MPI_INT, other, tag, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // want: thread-level: MPI_THREAD_SERIALIZED
}

int main(int argc, char **argv)
{
    int provided, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::thread left(fill_halo, 1, 1 - rank), right(fill_halo, 2, 1 - rank);
    left.join();
    right.join();
    MPI_Finalize();
    return 0;
}
// also: rank-died
