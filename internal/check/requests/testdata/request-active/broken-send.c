/* A send is started again before it is complete. MPI may give it another handle then, of which nothing is said. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, a = 1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send_init(&a, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (int step = 0; step < 3; step++) {
        if (rank == 1) {
            MPI_Recv(&a, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            continue;
        }
        MPI_Start(&request); /* want: MPI_Start with request (`&request`) an active request */
        if (step != 1)
            MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (rank == 0)
        MPI_Request_free(&request);
    MPI_Finalize();
    return 0;
}
