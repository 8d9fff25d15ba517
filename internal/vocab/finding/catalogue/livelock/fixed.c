/* Both sides use one name for the tag. */
#include <mpi.h>

enum { TAG_VALUE = 1 };

int main(int argc, char **argv)
{
    int rank, value = 7, arrived = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        while (!arrived)
            MPI_Iprobe(1, TAG_VALUE, MPI_COMM_WORLD, &arrived, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 1, TAG_VALUE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Send(&value, 1, MPI_INT, 0, TAG_VALUE, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
