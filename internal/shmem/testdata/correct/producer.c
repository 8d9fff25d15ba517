/* PE 0 sends blocks to the others, each into a ring of a few slots. They send back a sum of each, and tell by a counter which slot is free again. */
#include <shmem.h>
#include <stdio.h>

enum { SLOTS = 3, WORDS = 20, BLOCKS = 25, MOST = 64 };

static long slot[SLOTS][WORDS], sent;             /* at the consumers */
static long sums[MOST][BLOCKS], answered[MOST];   /* at the producer */

static long word(int pe, long block, int i) { return pe * 100000L + block * 100 + i; }

static void produce(int n)
{
    long block[WORDS];
    for (long b = 0; b < BLOCKS; b++)
        for (int p = 1; p < n; p++) {
            if (b >= SLOTS)
                shmem_long_wait_until(&answered[p], SHMEM_CMP_GT, b - SLOTS);
            for (int i = 0; i < WORDS; i++)
                block[i] = word(p, b, i);
            shmem_long_put(slot[b % SLOTS], block, WORDS, p);
            shmem_fence();
            shmem_long_p(&sent, b + 1, p);
        }
}

static void consume(int me)
{
    for (long b = 0; b < BLOCKS; b++) {
        long sum = 0;
        shmem_long_wait_until(&sent, SHMEM_CMP_GT, b);
        for (int i = 0; i < WORDS; i++)
            sum += slot[b % SLOTS][i];
        shmem_long_p(&sums[me][b], sum, 0);
        shmem_fence();
        shmem_long_p(&answered[me], b + 1, 0);
    }
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    if (me == 0)
        produce(n);
    else
        consume(me);
    for (int p = 1; p < n && me == 0; p++) {
        shmem_long_wait_until(&answered[p], SHMEM_CMP_EQ, BLOCKS);
        for (long b = 0; b < BLOCKS; b++) {
            long sum = 0;
            for (int i = 0; i < WORDS; i++)
                sum += word(p, b, i);
            bad |= sums[p][b] != sum;
        }
    }
    if (bad)
        fprintf(stderr, "producer: wrong sums\n");
    shmem_finalize();
    return bad;
}
