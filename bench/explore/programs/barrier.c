// A barrier that never comes off if a wildcard chooses badly: rank 1 receives from anybody, enters the barrier and receives
// once more for each other sender; rank 2 sends before the barrier; ranks from 3 on start a send before it and wait for it behind it. If
// rank 1 meets one of those first and MPI does not buffer, rank 2 never gets to the barrier.
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv, 4);
    int n = rank, sum = 0;
    MPI_Request req = MPI_REQUEST_NULL;
    if (rank == 1) {
        MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = n;
    } else if (rank == 2) {
        MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank >= 3) {
        for (volatile long i = 0; i < 20000000; i++) // as a rule these are late
            continue;
        MPI_Isend(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &req);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        for (int i = 3; i < size; i++) {
            MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += n;
        }
        MPI_Send(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Wait(&req, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Recv(&sum, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end(sum == size * (size - 1) / 2 - 1);
}
