/* Sums along a binary tree, by flags: children send to their parent, the root's result goes down again. The slots of a child are used again in the next round. */
#include <shmem.h>
#include <stdio.h>

enum { WORDS = 8, ROUNDS = 12 };

static long partial[2][WORDS], ready[2]; /* what children have sent, and in which round */
static long total[WORDS], told;          /* what the parent has */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    int parent = (me - 1) / 2, side = (me - 1) % 2;

    for (long round = 1; round <= ROUNDS; round++) {
        long sum[WORDS];
        for (int i = 0; i < WORDS; i++)
            sum[i] = me * round + i;
        for (int c = 0; c < 2 && 2 * me + 1 + c < n; c++) {
            shmem_long_wait_until(&ready[c], SHMEM_CMP_EQ, round);
            for (int i = 0; i < WORDS; i++)
                sum[i] += partial[c][i];
        }
        if (me > 0) {
            shmem_long_put(partial[side], sum, WORDS, parent);
            shmem_fence();
            shmem_long_p(&ready[side], round, parent);
            shmem_long_wait_until(&told, SHMEM_CMP_EQ, round);
            for (int i = 0; i < WORDS; i++)
                sum[i] = total[i];
        }
        for (int c = 2 * me + 1; c <= 2 * me + 2 && c < n; c++) {
            shmem_long_put(total, sum, WORDS, c);
            shmem_fence();
            shmem_long_p(&told, round, c);
        }
        for (int i = 0; i < WORDS; i++)
            bad |= sum[i] != (long)n * (n - 1) / 2 * round + (long)i * n;
    }
    if (bad)
        fprintf(stderr, "tree: wrong sums on PE %d\n", me);
    shmem_finalize();
    return bad;
}
