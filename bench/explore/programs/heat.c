// Heat on a plate that is cut into strips, one a rank. At the beginning rank 0 receives the conductivity by a wildcard,
// and the number of steps by a receive from rank 2, with the same tag: if the wildcard takes the message of rank 2,
// rank 0 waits forever. At the end it collects the strips by wildcards, in any of (size - 1)! orders, none of which
// matters. A search that goes back to the latest choice first goes through all of these before the first one.
#include "program.h"

enum { W = 6, H = 2, SETUP = 1, EDGE, STRIP };

// advance makes a step on some rows of which those around them are known.
static void advance(double *u, double *v, int rows, double conductivity)
{
    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < W; j++) {
            double left = j > 0 ? u[i * W + j - 1] : 0, right = j + 1 < W ? u[i * W + j + 1] : 0, here = u[i * W + j];
            v[i * W + j] = here + conductivity * (u[(i - 1) * W + j] + u[(i + 1) * W + j] + left + right - 4 * here);
        }
    memcpy(u + W, v + W, (size_t)(rows * W) * sizeof(double));
}

// setup finds out on rank 0 what ranks 1 and 2 have read, and tells all.
static void setup(double values[2])
{
    if (rank == 0) {
        MPI_Recv(&values[0], 1, MPI_DOUBLE, MPI_ANY_SOURCE, SETUP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&values[1], 1, MPI_DOUBLE, 2, SETUP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        values[0] = 0.2;
        MPI_Send(&values[0], 1, MPI_DOUBLE, 0, SETUP, MPI_COMM_WORLD);
    } else if (rank == 2) {
        for (volatile long i = 0; i < 20000000; i++) // as a rule this one is late
            continue;
        values[1] = 4;
        MPI_Send(&values[1], 1, MPI_DOUBLE, 0, SETUP, MPI_COMM_WORLD);
    }
    MPI_Bcast(values, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, 3);
    double u[(H + 2) * W] = {0}, v[(H + 2) * W] = {0}, values[2] = {0, 0}, strip[1 + H * W];
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL, down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    setup(values);
    for (int j = 0; j < W && rank == 0; j++)
        u[j] = 1; // the upper edge of the plate is hot
    for (int n = 0; n < (int)values[1]; n++) {
        MPI_Sendrecv(u + H * W, W, MPI_DOUBLE, down, EDGE, u, W, MPI_DOUBLE, up, EDGE, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Sendrecv(u + W, W, MPI_DOUBLE, up, EDGE, u + (H + 1) * W, W, MPI_DOUBLE, down, EDGE, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        advance(u, v, H, values[0]);
    }
    if (rank != 0) {
        strip[0] = rank;
        memcpy(strip + 1, u + W, (size_t)(H * W) * sizeof(double));
        MPI_Send(strip, 1 + H * W, MPI_DOUBLE, 0, STRIP, MPI_COMM_WORLD);
        return end(1);
    }
    int cells = (size * H + 2) * W, right = 1;
    double *plate = calloc((size_t)cells, sizeof(double)), *twin = calloc((size_t)cells, sizeof(double)),
           *next = calloc((size_t)cells, sizeof(double));
    memcpy(plate + W, u + W, (size_t)(H * W) * sizeof(double));
    for (int n = 1; n < size; n++) {
        MPI_Recv(strip, 1 + H * W, MPI_DOUBLE, MPI_ANY_SOURCE, STRIP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        memcpy(plate + (1 + (int)strip[0] * H) * W, strip + 1, (size_t)(H * W) * sizeof(double));
    }
    for (int j = 0; j < W; j++)
        twin[j] = 1;
    for (int n = 0; n < (int)values[1]; n++) // the same on the whole plate
        advance(twin, next, size * H, values[0]);
    for (int i = W; i < cells - W; i++)
        right = right && plate[i] == twin[i];
    free(plate);
    free(twin);
    free(next);
    return end(right);
}
