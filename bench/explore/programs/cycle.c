// A cyclic wait that only a wildcard's choice brings about: rank 1 receives from anybody, sends to rank 2 and receives again;
// rank 2 sends to rank 1 and receives from it; every rank from 3 on sends one message to rank 1. If rank 1 meets one of those first and
// MPI does not buffer, ranks 1 and 2 wait for each other.
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv, 4);
    int n = rank, sum = 0;
    if (rank == 1) {
        MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum = n;
        MPI_Send(&n, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        for (int i = 3; i < size; i++) {
            MPI_Recv(&n, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += n;
        }
        MPI_Send(&sum, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank >= 3) {
        for (volatile long i = 0; i < 20000000; i++) // as a rule these are late
            continue;
        MPI_Send(&n, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&sum, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    return end(sum == size * (size - 1) / 2 - 1);
}
