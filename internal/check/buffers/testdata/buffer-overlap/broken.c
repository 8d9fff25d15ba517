/* Both receives have the same buffer, so that one value is lost. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value, 1, MPI_INT, i + 1, 0, MPI_COMM_WORLD, &r[i]); /* want: MPI_Irecv with buf (`&value`) in memory that a pending MPI_Irecv still receives into (4 bytes are in both) */
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);                             /* run: -n 3 */
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
