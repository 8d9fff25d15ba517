/* A call is passed more requests than their array has. */
#include <mpi.h>

static MPI_Request before[8], requests[2], after[8]; /* all are 0, so that what is taken for a request is invalid */

int main(int argc, char **argv)
{
    int rank, a = 1, b[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&b[i], 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < 2; i++)
        MPI_Send(&a, 1, MPI_INT, 1 - rank, i, MPI_COMM_WORLD);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE); /* want: MPI_Waitall with count 3, but array_of_requests (`requests`) has room for 2 requests. */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return before[0] != after[0];
}
