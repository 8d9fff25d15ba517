/* Heat in a rod: each PE has a part, and sends its border cells to its neighbours, with a flag for each. Borders are received in two buffers in turn. */
#include <shmem.h>
#include <stdio.h>
#include <string.h>

enum { CELLS = 32, STEPS = 40, MOST = 64 };

static double border[2][2]; /* of the left and the right neighbour, for odd and even steps */
static long step_of[2];     /* how far the neighbours are */

static void relax(double *to, const double *from, int cells)
{
    for (int i = 1; i <= cells; i++)
        to[i] = from[i] + 0.25 * (from[i - 1] - 2 * from[i] + from[i + 1]);
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    double u[CELLS + 2] = {0}, v[CELLS + 2];
    static double whole[MOST * CELLS + 2], next[MOST * CELLS + 2];

    if (n > MOST)
        shmem_global_exit(2);
    for (int i = 1; i <= n * CELLS; i++)
        whole[i] = (i * 7 % 13) / 13.0;
    memcpy(u + 1, whole + 1 + me * CELLS, CELLS * sizeof *u);
    for (long step = 1; step <= STEPS; step++) {
        int odd = step % 2;
        if (me > 0) {
            shmem_double_p(&border[odd][1], u[1], me - 1);
            shmem_fence();
            shmem_long_p(&step_of[1], step, me - 1);
        }
        if (me + 1 < n) {
            shmem_double_p(&border[odd][0], u[CELLS], me + 1);
            shmem_fence();
            shmem_long_p(&step_of[0], step, me + 1);
        }
        if (me > 0) {
            shmem_long_wait_until(&step_of[0], SHMEM_CMP_GE, step);
            u[0] = border[odd][0];
        }
        if (me + 1 < n) {
            shmem_long_wait_until(&step_of[1], SHMEM_CMP_GE, step);
            u[CELLS + 1] = border[odd][1];
        }
        relax(v, u, CELLS);
        memcpy(u + 1, v + 1, CELLS * sizeof *u);
    }
    for (int step = 0; step < STEPS; step++) {
        relax(next, whole, n * CELLS);
        memcpy(whole + 1, next + 1, (size_t)n * CELLS * sizeof *whole);
    }
    bad = memcmp(u + 1, whole + 1 + me * CELLS, CELLS * sizeof *u) != 0;
    if (bad)
        fprintf(stderr, "halo: PE %d differs from the whole rod\n", me);
    shmem_finalize();
    return bad;
}
