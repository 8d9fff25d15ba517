/* A datatype is made and freed around each message; in the last round it is freed before the send. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a[10] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < 5; round++) {
        MPI_Datatype column, used;
        MPI_Type_vector(5, 1, 2, MPI_INT, &column);
        MPI_Type_commit(&column);
        used = column;
        if (round == 4)
            MPI_Type_free(&column);
        if (rank == 0)
            MPI_Send(a, 1, used, MPI_PROC_NULL, 0, MPI_COMM_WORLD); /* want: MPI_Send with datatype (`used`) a datatype that has been freed */
        if (round < 4)
            MPI_Type_free(&column);
    }
    MPI_Finalize();
    return 0;
}
