// A stencil on a periodic grid that is split into strips, which are in a window. Edges go to the neighbours by
// MPI_Put, between fences. The beginning is an eigenvector. Arguments: MiB of a strip, steps.
#include "onesided.h"
#include <math.h>
#include <string.h>

enum { WIDTH = 1024, WAVE = 8 };

static double *at(double *strip, size_t row)
{
    return strip + row * WIDTH;
}

static void sweep(double *u, double *v, size_t rows)
{
    for (size_t i = 1; i <= rows; i++)
        for (int k = 0; k < WIDTH; k++) {
            const double *row = at(u, i);
            double sides = row[k ? k - 1 : WIDTH - 1] + row[k + 1 < WIDTH ? k + 1 : 0];
            at(v, i)[k] = 0.25 * (sides + at(u, i - 1)[k] + at(u, i + 1)[k]); // race
        }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, size, steps = argc > 2 ? atoi(argv[2]) : 4;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    size_t rows = doubles(argc > 1 ? argv[1] : "1", WAVE * WIDTH) / WIDTH, cells = (rows + 2) * WIDTH;
    int up = (rank + size - 1) % size, down = (rank + 1) % size;
    double *u, *v = workload_alloc(cells, sizeof *v), edges[2][2][WIDTH];
    MPI_Win win;
    MPI_Win_allocate((MPI_Aint)(cells * sizeof *u), sizeof *u, MPI_INFO_NULL, MPI_COMM_WORLD, &u, &win);
    memset(u, 0, cells * sizeof *u);
    for (size_t i = 1; i <= rows; i++)
        for (int k = 0; k < WIDTH; k++)
            at(u, i)[k] = sin(2 * M_PI * (double)i / WAVE);
    double begin = workload_begin();
    for (int s = 0; s < steps; s++) {
        memcpy(edges[s % 2][0], at(u, 1), sizeof edges[0][0]);
        memcpy(edges[s % 2][1], at(u, rows), sizeof edges[0][0]);
        MPI_Win_fence(0, win);
        MPI_Put(edges[s % 2][0], WIDTH, MPI_DOUBLE, up, (MPI_Aint)(rows + 1) * WIDTH, WIDTH, MPI_DOUBLE, win); // race
        MPI_Put(edges[s % 2][1], WIDTH, MPI_DOUBLE, down, 0, WIDTH, MPI_DOUBLE, win);                          // race
#ifndef LEFT_OUT
        MPI_Win_fence(0, win);
#endif
        sweep(u, v, rows);
        memcpy(at(u, 1), at(v, 1), rows * WIDTH * sizeof *u);
    }
    MPI_Win_fence(0, win);
    workload_end(begin);
    double most = 0, factor = pow(0.5 + 0.5 * cos(2 * M_PI / WAVE), steps);
    for (size_t i = 1; i <= rows; i++)
        for (int k = 0; k < WIDTH; k++)
            most = fmax(most, fabs(at(u, i)[k] - factor * sin(2 * M_PI * (double)i / WAVE)));
    workload_check(right(most < 1e-12), "the eigenvector has not decayed as it must");
    MPI_Win_free(&win);
    free(v);
    MPI_Finalize();
}
