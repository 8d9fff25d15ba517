/* run: -n 2
   Two requests are waited for with one status. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, given, got;
    struct {
        MPI_Status status, room; /* what lies behind the status is the program's, too: nothing else breaks */
    } s;
    MPI_Request requests[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    given = rank;
    MPI_Irecv(&got, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&given, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, &s.status); /* want: calls MPI_Waitall with array_of_statuses (`&s.status`), which has room for 1 status; MPI writes 2 statuses of */ /* hint: declare as many elements of MPI_Status as there are requests, or pass MPI_STATUSES_IGNORE */
    MPI_Finalize();
    return s.room.MPI_SOURCE != 1 - rank && s.room.MPI_TAG == -7;
}
