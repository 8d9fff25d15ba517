/* Fixed: one side sends first. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, side, value = 7;
    MPI_Comm local, bridge;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    side = rank / 2; /* ranks 0 and 1 on one side, 2 and 3 on the other */
    MPI_Comm_split(MPI_COMM_WORLD, side, rank, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, side == 0 ? 2 : 0, 0, &bridge);

    if (rank == 0) {
        MPI_Send(&value, 1, MPI_INT, 0, 0, bridge);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, bridge, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, bridge);
    }

    MPI_Comm_free(&bridge);
    MPI_Comm_free(&local);

    MPI_Finalize();
    return 0;
}
