// One time step of diffusion on a periodic grid that is split into columns of blocks. All send their edges before they
// receive, so it hangs if MPI buffers nothing; with buffering, rank 0 collects two frames by wildcard receives.
#include "program.h"

enum { W = 6, LEFT, RIGHT, FRAME };

static double u[W + 2], v[W + 2];

static void frame(double *all)
{
    if (rank != 0) {
        MPI_Send(u + 1, W, MPI_DOUBLE, 0, FRAME, MPI_COMM_WORLD);
        return;
    }
    memcpy(all, u + 1, W * sizeof(double));
}

int main(int argc, char **argv)
{
    begin(&argc, &argv, 2);
    int left = (rank + size - 1) % size, right = (rank + 1) % size;
    double *frames = calloc((size_t)(2 * size * W), sizeof(double));
    int *got = calloc((size_t)size, sizeof(int));
    for (int i = 1; i <= W; i++)
        u[i] = rank == 0 && i == 1 ? 1 : 0;
    MPI_Barrier(MPI_COMM_WORLD);
    frame(frames);
    MPI_Send(u + 1, 1, MPI_DOUBLE, left, LEFT, MPI_COMM_WORLD);
    MPI_Send(u + W, 1, MPI_DOUBLE, right, RIGHT, MPI_COMM_WORLD);
    MPI_Recv(u + W + 1, 1, MPI_DOUBLE, right, LEFT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(u, 1, MPI_DOUBLE, left, RIGHT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 1; i <= W; i++)
        v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]);
    memcpy(u, v, sizeof u);
    frame(frames + size * W);
    int ok = 1;
    if (rank == 0) {
        double sum[2] = {0, 0}, block[W];
        for (int n = 0; n < 2 * (size - 1); n++) {
            MPI_Status st;
            MPI_Recv(block, W, MPI_DOUBLE, MPI_ANY_SOURCE, FRAME, MPI_COMM_WORLD, &st);
            memcpy(frames + got[st.MPI_SOURCE]++ * size * W + st.MPI_SOURCE * W, block, sizeof block);
        }
        for (int i = 0; i < 2 * size * W; i++)
            sum[i / (size * W)] += frames[i];
        ok = fabs(sum[0] - 1) < 1e-12 && fabs(sum[1] - 1) < 1e-12 && frames[size * W] == 0.5;
    }
    free(frames);
    free(got);
    return end(ok);
}
