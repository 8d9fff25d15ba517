// Heat in a rod, until it hardly changes. At the end rank 0 collects a block from everybody by wildcard receives, and the
// last rank's count of steps by a receive from that rank; the count has the tag of the blocks, so a wildcard may take it,
// and then rank 0 waits for it forever.
#include "program.h"

enum { W = 4, EDGE, RESULT };

int main(int argc, char **argv)
{
    begin(&argc, &argv, 3);
    double u[W + 2] = {0}, v[W + 2] = {0}, change = 1;
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, right = rank + 1 < size ? rank + 1 : MPI_PROC_NULL, steps = 0;
    for (; change > 1e-3 && steps < 6; steps++) {
        if (rank == 0)
            u[0] = 1;
        MPI_Sendrecv(u + W, 1, MPI_DOUBLE, right, EDGE, u, 1, MPI_DOUBLE, left, EDGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + 1, 1, MPI_DOUBLE, left, EDGE, u + W + 1, 1, MPI_DOUBLE, right, EDGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        double most = 0;
        for (int i = 1; i <= W; i++) {
            v[i] = u[i] + 0.4 * (u[i - 1] - 2 * u[i] + u[i + 1]);
            most = fmax(most, fabs(v[i] - u[i]));
        }
        memcpy(u + 1, v + 1, W * sizeof(double));
        MPI_Allreduce(&most, &change, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    }
    double block[W + 1], sum = 0, said = steps;
    if (rank != 0) {
        MPI_Request both[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
        block[0] = rank;
        memcpy(block + 1, u + 1, W * sizeof(double));
        MPI_Isend(block, W + 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD, &both[0]);
        if (rank == size - 1)
            MPI_Isend(&said, 1, MPI_DOUBLE, 0, RESULT, MPI_COMM_WORLD, &both[1]);
        MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
        return end(1);
    }
    for (int w = 1; w < size; w++) {
        MPI_Recv(block, W + 1, MPI_DOUBLE, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int i = 1; i <= W; i++)
            sum += block[i];
    }
    MPI_Recv(&said, 1, MPI_DOUBLE, size - 1, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return end(said == steps && sum >= 0);
}
