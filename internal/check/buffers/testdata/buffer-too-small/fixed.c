/* Each message needs MPI_BSEND_OVERHEAD bytes besides its data. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[100] = {0}, size;
    static char room[2 * (400 + MPI_BSEND_OVERHEAD)];
    void *old;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(room, sizeof room);
    for (int i = 0; i < 2; i++)
        if (rank == 0)
            MPI_Bsend(data, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
        else if (rank == 1)
            MPI_Recv(data, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        MPI_Bsend(data, 100, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 1)
        MPI_Recv(data, 100, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&old, &size);
    MPI_Finalize();
    return 0;
}
