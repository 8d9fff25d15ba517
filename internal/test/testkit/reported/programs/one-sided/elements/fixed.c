#include <mpi.h>

#define N 2

int main(int argc, char **argv)
{
    int rank, received[N] = {0}, buf[N];
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(buf, sizeof buf, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < N; i++)
        buf[i] = rank;
    MPI_Win_fence(0, win);
    MPI_Get(received, N, MPI_INT, (rank + 1) % N, 0, N, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
