/* Rank 1 takes three messages with matched probes, and receives two of them. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, n = 0, flag = 0;
    MPI_Message message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; rank == 0 && i < 3; i++)
        MPI_Send(&n, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    for (int i = 0; rank == 1 && i < 2; i++) {
        MPI_Mprobe(0, i, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* want: Rank 1 reaches MPI_Finalize with 1 message of this MPI_Mprobe not received. */
        if (i == 1)
            MPI_Mrecv(&n, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
    while (rank == 1 && !flag)
        MPI_Improbe(0, 2, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Mrecv(&n, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
