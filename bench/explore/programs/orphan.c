// Every rank but the last sends one message to the last, which receives them by wildcards, except that the second receive
// names the last sender: if the first wildcard took that message, it waits forever.
#include "program.h"

int main(int argc, char **argv)
{
    begin(&argc, &argv, 3);
    int last = size - 1, sum = rank, n;
    if (rank != last) {
        if (rank == last - 1) { // as a rule this one is late
            for (volatile long i = 0; i < 20000000; i++)
                continue;
        }
        MPI_Send(&rank, 1, MPI_INT, last, 0, MPI_COMM_WORLD);
    } else {
        sum = 0;
        for (int i = 0; i < last; i++) {
            MPI_Recv(&n, 1, MPI_INT, i == 1 ? last - 1 : MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += n;
        }
        if (sum != last * (last - 1) / 2)
            MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return end(1);
}
