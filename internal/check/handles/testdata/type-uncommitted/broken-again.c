/* A datatype is made and freed around each message; in the last round it is not committed, though all else is as before. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[10] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < 5; round++) {
        MPI_Datatype column;
        MPI_Type_vector(5, 1, 2, MPI_INT, &column);
        if (round < 4)
            MPI_Type_commit(&column);
        if (rank == 0)
            MPI_Send(a, 1, column, 1, 0, MPI_COMM_WORLD); /* want: MPI_Send with datatype (`column`) a derived type that is not committed */
        else if (rank == 1)
            MPI_Recv(a, 5, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Type_free(&column);
    }
    MPI_Finalize();
    return 0;
}
