/* Each receive has a buffer of its own. Sends may share one. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value[2];
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &r[i]);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE); /* run: -n 3 */
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
