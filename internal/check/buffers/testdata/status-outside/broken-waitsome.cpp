/* run: -n 2
   MPI_Waitsome has completed two of the requests, with room for one status. */
#include <mpi.h>

struct State {
    MPI_Status status;
    MPI_Status room[4];
};
static State state;

int main(int argc, char **argv)
{
    int rank, given, got, outcount, indices[2];
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    given = rank;
    MPI_Irecv(&got, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&given, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[1]);
    for (int flag = 0; !flag;)
        MPI_Request_get_status(requests[0], &flag, MPI_STATUS_IGNORE);
    for (int flag = 0; !flag;)
        MPI_Request_get_status(requests[1], &flag, MPI_STATUS_IGNORE);
    MPI_Waitsome(2, requests, &outcount, indices, &state.status); /* want: which has room for 1 status; MPI writes 2 statuses of */
    if (outcount < 2)
        MPI_Wait(&requests[1 - indices[0]], MPI_STATUS_IGNORE);
    MPI_Finalize();
}
