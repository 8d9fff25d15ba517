/* Fixed: the send is started first and completed last. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, other, count, mine, theirs = 0;
    MPI_Status status;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    mine = rank;

    MPI_Isend(&mine, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
    MPI_Probe(other, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Recv(&theirs, count, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Finalize();
    return 0;
}
