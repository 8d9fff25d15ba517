/* One variable for three sends. As these are complete at once, both MPI libraries give all of them one handle. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[3] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Isend(&data[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request); /* want: one request variable that is used for several operations keeps only the last handle */
        else
            MPI_Recv(&data[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
