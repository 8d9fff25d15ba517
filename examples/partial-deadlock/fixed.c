/* Fixed: ranks 0 and 1 exchange their messages at once. */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, mine, theirs = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;

    if (rank < 2) {
        MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 0, &theirs, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    } else {
        for (long step = 0; step < 100; step++) {
            if (rank == 2)
                MPI_Send(&mine, 1, MPI_INT, 3, 1, MPI_COMM_WORLD);
            else
                MPI_Recv(&theirs, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            usleep(1000);
        }
    }

    MPI_Finalize();
    return 0;
}
