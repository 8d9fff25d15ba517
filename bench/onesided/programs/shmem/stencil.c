// A stencil on a periodic grid that is split into strips in symmetric memory. Edges go to the neighbours by
// shmem_double_put, with barriers. The beginning is an eigenvector. Arguments: MiB of a strip, steps.
#include "pes.h"
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
    shmem_init();
    int pe = shmem_my_pe(), pes = shmem_n_pes(), steps = argc > 2 ? atoi(argv[2]) : 4;
    int up = (pe + pes - 1) % pes, down = (pe + 1) % pes;
    size_t rows = doubles(argc > 1 ? argv[1] : "1", WAVE * WIDTH) / WIDTH, cells = (rows + 2) * WIDTH;
    double *u = shmem_malloc(cells * sizeof *u), *v = pes_alloc(cells, sizeof *v), edges[2][WIDTH];
    memset(u, 0, cells * sizeof *u);
    for (size_t i = 1; i <= rows; i++)
        for (int k = 0; k < WIDTH; k++)
            at(u, i)[k] = sin(2 * M_PI * (double)i / WAVE);
    double begin = pes_begin();
    for (int s = 0; s < steps; s++) {
        memcpy(edges[0], at(u, 1), sizeof edges[0]);
        memcpy(edges[1], at(u, rows), sizeof edges[1]);
        shmem_double_put(at(u, rows + 1), edges[0], WIDTH, up); // race
        shmem_double_put(at(u, 0), edges[1], WIDTH, down);      // race
#ifndef LEFT_OUT
        shmem_barrier_all();
#endif
        sweep(u, v, rows);
        memcpy(at(u, 1), at(v, 1), rows * WIDTH * sizeof *u);
        shmem_barrier_all();
    }
    pes_end(begin);
    double most = 0, factor = pow(0.5 + 0.5 * cos(2 * M_PI / WAVE), steps);
    for (size_t i = 1; i <= rows; i++)
        for (int k = 0; k < WIDTH; k++)
            most = fmax(most, fabs(at(u, i)[k] - factor * sin(2 * M_PI * (double)i / WAVE)));
    pes_check(right(most < 1e-12), "the eigenvector has not decayed as it must");
    shmem_free(u);
    free(v);
    shmem_finalize();
}
