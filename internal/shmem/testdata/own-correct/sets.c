/* PEs: any. A pSync that is filled before each use, between barriers, and the results of collectives. */
#include "../races/cases.h"

static long psync[SHMEM_REDUCE_SYNC_SIZE > SHMEM_BCAST_SYNC_SIZE ? SHMEM_REDUCE_SYNC_SIZE : SHMEM_BCAST_SYNC_SIZE];
static int work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], value, sum;
static long to[4], from[4];

static void fill(void)
{
    shmem_barrier_all();
    for (unsigned i = 0; i < sizeof psync / sizeof *psync; i++)
        psync[i] = SHMEM_SYNC_VALUE;
    shmem_barrier_all();
}

int main(void)
{
    start();
    int wrong = 0;
    for (int i = 0; i < 5; i++) {
        fill();
        value = me + i;
        shmem_int_sum_to_all(&sum, &value, 1, 0, 0, n, work, psync);
        wrong += sum != n * (n - 1) / 2 + n * i;
        value = -1;
        sum = 0;
        fill();
        from[0] = i;
        shmem_broadcast64(to, from, 4, 0, 0, 0, n, psync);
        wrong += me > 0 && to[0] != i;
    }
    shmem_finalize();
    return wrong > 0;
}
