/* Fixed: both use the duplicate. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, answer = 0;
    MPI_Comm questions;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    MPI_Comm_dup(MPI_COMM_WORLD, &questions);
    MPI_Comm_set_name(questions, "questions");
    if (rank == 0) {
        MPI_Isend(&value, 1, MPI_INT, 1, 0, questions, &request);
        MPI_Recv(&answer, 1, MPI_INT, 1, 0, questions, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, questions, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 0, 0, questions);
    }
    MPI_Comm_free(&questions);

    MPI_Finalize();
    return 0;
}
