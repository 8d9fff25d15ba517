/* Collectives one after the other: parts of different sizes are collected, blocks exchanged, extremes found, a setting broadcast. Two pSync arrays are used in turn. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { MOST = 64, ROUNDS = 4 };

static int64_t part[MOST], joined[MOST * MOST], row[MOST], column[MOST], setting, received;
static double low, high, extreme[2], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 2];
static long sync[2][SHMEM_SYNC_SIZE];

int main(void)
{
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        sync[0][i] = sync[1][i] = SHMEM_SYNC_VALUE;
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    if (n > MOST)
        shmem_global_exit(2);

    for (int r = 0; r < ROUNDS; r++) {
        int root = r % n, at = 0;
        for (int i = 0; i <= me; i++)
            part[i] = me * 100 + i + r;
        for (int p = 0; p < n; p++)
            row[p] = me * 100 + p;
        shmem_barrier_all();
        shmem_collect64(joined, part, (size_t)me + 1, 0, 0, n, sync[0]);
        for (int p = 0; p < n; p++)
            for (int i = 0; i <= p; i++)
                bad |= joined[at++] != p * 100 + i + r;
        shmem_alltoall64(column, row, 1, 0, 0, n, sync[1]);
        for (int p = 0; p < n; p++)
            bad |= column[p] != p * 100 + me;
        low = high = me * 1.5 - r;
        shmem_barrier_all();
        shmem_double_min_to_all(&extreme[0], &low, 1, 0, 0, n, work, sync[0]);
        shmem_barrier_all();
        shmem_double_max_to_all(&extreme[1], &high, 1, 0, 0, n, work, sync[1]);
        bad |= extreme[0] != -r || extreme[1] != (n - 1) * 1.5 - r;
        if (me == root)
            setting = 4711 + r;
        shmem_barrier_all();
        shmem_broadcast64(&received, &setting, 1, root, 0, 0, n, sync[0]);
        if (me != root)
            bad |= received != 4711 + r;
        shmem_sync_all();
    }
    if (bad)
        fprintf(stderr, "gather: wrong elements on PE %d\n", me);
    shmem_finalize();
    return bad;
}
