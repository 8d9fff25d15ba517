/* by: unknot -O1 */
/* only: openmpi */
#include <shmem.h>
#include <stdio.h>

static double work[4];
static int arrived;

int main(void)
{
    double mine[4] = {1, 2, 3, 4}, sum = 0;

    shmem_init();
    int me = shmem_my_pe(), other = (me + 1) % shmem_n_pes();
    for (int step = 1; step <= 3; step++) {
        shmem_double_put(work, mine, 4, other);
        shmem_fence();
        shmem_int_p(&arrived, step, other);
        shmem_int_wait_until(&arrived, SHMEM_CMP_GE, step);
        for (int i = 0; i < 4; i++)
            sum += work[i];
        shmem_barrier_all();
    }
    shmem_barrier_all();
    if (sum < 0)
        printf("%g\n", sum);
    shmem_finalize();
    return 0;
}
