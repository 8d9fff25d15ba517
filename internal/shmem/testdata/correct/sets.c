/* Even and odd PEs work in sets of their own: each set has a sum, a broadcast and a barrier, and all PEs meet at the end of each round. */
#include <shmem.h>
#include <stdio.h>

enum { ROUNDS = 8 };

static long mine, sum, root_says, heard, grand, work[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
static long sum_sync[SHMEM_REDUCE_SYNC_SIZE], all_sync[SHMEM_REDUCE_SYNC_SIZE], heard_sync[SHMEM_BCAST_SYNC_SIZE], sync[SHMEM_BARRIER_SYNC_SIZE];

static void set(long *words, int count)
{
    for (int i = 0; i < count; i++)
        words[i] = SHMEM_SYNC_VALUE;
}

int main(void)
{
    set(sum_sync, SHMEM_REDUCE_SYNC_SIZE);
    set(all_sync, SHMEM_REDUCE_SYNC_SIZE);
    set(heard_sync, SHMEM_BCAST_SYNC_SIZE);
    set(sync, SHMEM_BARRIER_SYNC_SIZE);
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), first = me % 2, size = (n + 1 - first) / 2, bad = 0;
    int last = first + 2 * (size - 1);

    for (long round = 0; round < ROUNDS; round++) {
        long want = 0, want_all = 0;
        mine = (me + 1) * (round + 1);
        for (int p = 0; p < n; p++) {
            want_all += (p + 1) * (round + 1);
            want += p % 2 == first ? (p + 1) * (round + 1) : 0;
        }
        shmem_long_sum_to_all(&sum, &mine, 1, first, 1, size, work[0], sum_sync);
        bad |= sum != want;
        if (me == last)
            root_says = sum * 10 + first;
        shmem_broadcast64(&heard, &root_says, 1, size - 1, first, 1, size, heard_sync);
        if (me != last)
            bad |= heard != want * 10 + first;
        shmem_barrier(first, 1, size, sync);
        if (me == first && me != last)
            bad |= shmem_long_g(&heard, first) != shmem_long_g(&root_says, last);
        shmem_long_sum_to_all(&grand, &mine, 1, 0, 0, n, work[1], all_sync);
        bad |= grand != want_all;
        shmem_barrier_all();
    }
    if (bad)
        fprintf(stderr, "sets: wrong sums on PE %d\n", me);
    shmem_finalize();
    return bad;
}
