// Two wildcard receives whose choices hang together (the dependence transition group of the published example): if rank 0
// meets rank 2 first and MPI does not buffer, nobody gets further. 5 ranks take part, others do nothing.
#include "program.h"

static void put(int to, int value) { MPI_Send(&value, 1, MPI_INT, to, 0, MPI_COMM_WORLD); }

static int take(int from)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return value;
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, 5);
    int sum = 0;
    switch (rank) {
    case 0:
        sum = take(MPI_ANY_SOURCE);
        put(3, 1);
        sum += take(MPI_ANY_SOURCE);
        break;
    case 1:
        put(0, 10);
        put(3, 2);
        break;
    case 2:
        put(0, take(MPI_ANY_SOURCE));
        break;
    case 3:
        sum = take(1) + take(0);
        break;
    case 4:
        put(2, 32);
        break;
    }
    return end(sum == (rank == 0 ? 42 : sum));
}
