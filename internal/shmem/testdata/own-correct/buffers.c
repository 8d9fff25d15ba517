/* PEs: any. Two buffers in turn for transfers that go on while the program computes. */
#include "../races/cases.h"
#include <stdlib.h>

enum { STEPS = 10, MANY = 200 };

int main(void)
{
    start();
    double *here = shmem_malloc(STEPS * MANY * sizeof *here), *mine = malloc(2 * MANY * sizeof *mine), *got = calloc(2 * MANY, sizeof *got), sum = 0;
    double *all = shmem_malloc(STEPS * MANY * sizeof *all);
    for (int i = 0; i < STEPS * MANY; i++)
        all[i] = i;
    shmem_barrier_all();
    for (int i = 0; i < STEPS; i++) {
        double *buffer = mine + i % 2 * MANY, *next = got + i % 2 * MANY;
        for (int k = 0; k < MANY; k++)
            buffer[k] = k + i;
        shmem_quiet();
        shmem_double_put_nbi(here + i * MANY, buffer, MANY, (me + 1) % n);
        shmem_double_get_nbi(next, all + i * MANY, MANY, (me + 1) % n);
        for (int k = 0; k < MANY; k++)
            sum += got[(i + 1) % 2 * MANY + k] + buffer[k];
    }
    shmem_barrier_all();
    for (int i = 0; i < STEPS * MANY; i++)
        sum += here[i];
    shmem_barrier_all();
    shmem_free(all);
    shmem_free(here);
    free(mine);
    free(got);
    const int wrong = sum == 0;
    shmem_finalize();
    return wrong;
}
