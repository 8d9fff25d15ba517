/* Five-point stencil on a square that is cut into columns: rows of the border are strided, so they are sent by iput. A barrier ends each exchange. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { SIDE = 24, STEPS = 10 };

static int me, n, wide;

static double *at(double *grid, int width, int row, int column) { return grid + row * (width + 2) + column; }

static void smooth(double *to, double *from, int width)
{
    for (int r = 1; r <= SIDE; r++)
        for (int c = 1; c <= width; c++)
            *at(to, width, r, c) = 0.2 * (*at(from, width, r, c) + *at(from, width, r - 1, c) + *at(from, width, r + 1, c) + *at(from, width, r, c - 1) +
                                          *at(from, width, r, c + 1));
}

static void exchange(double *grid)
{
    int row = wide + 2;
    if (me > 0)
        shmem_double_iput(at(grid, wide, 1, wide + 1), at(grid, wide, 1, 1), row, row, SIDE, me - 1);
    if (me + 1 < n)
        shmem_double_iput(at(grid, wide, 1, 0), at(grid, wide, 1, wide), row, row, SIDE, me + 1);
    shmem_barrier_all();
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    wide = SIDE / n;

    int all = wide * n, bad = 0;
    size_t bytes = (SIDE + 2) * (wide + 2) * sizeof(double);
    double *grid[2] = {shmem_calloc(1, bytes), shmem_calloc(1, bytes)};
    static double whole[2][(SIDE + 2) * (SIDE + 2)];
    for (int r = 1; r <= SIDE; r++)
        for (int c = 1; c <= all; c++)
            *at(whole[0], all, r, c) = (r * 31 + c * 17) % 101;
    for (int r = 1; r <= SIDE; r++)
        for (int c = 1; c <= wide; c++)
            *at(grid[0], wide, r, c) = *at(whole[0], all, r, me * wide + c);

    for (int step = 0; step < STEPS; step++) {
        exchange(grid[step % 2]);
        smooth(grid[1 - step % 2], grid[step % 2], wide);
        smooth(whole[1 - step % 2], whole[step % 2], all);
    }
    for (int r = 1; r <= SIDE; r++)
        for (int c = 1; c <= wide; c++)
            bad |= *at(grid[STEPS % 2], wide, r, c) != *at(whole[STEPS % 2], all, r, me * wide + c);
    if (bad)
        fprintf(stderr, "stencil: PE %d differs from the whole square\n", me);
    shmem_free(grid[0]);
    shmem_free(grid[1]);
    shmem_finalize();
    return bad;
}
