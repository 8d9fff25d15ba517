/* also: call-failed */
/* A persistent receive has room for one number less than the message that a persistent send brings it. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, data[4] = {0};
    MPI_Request r;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Send_init(data, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, &r); /* want: Rank 0 sends 4 × MPI_INT to rank 1, whose receive has room for 3 × MPI_INT */
    else
        MPI_Recv_init(data, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &r); /* want: Rank 0 sends 4 × MPI_INT to rank 1 */
    MPI_Start(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
    if (r != MPI_REQUEST_NULL) /* as Open MPI makes it of a request whose operation failed */
        MPI_Request_free(&r);
    MPI_Finalize();
    return 0;
}
