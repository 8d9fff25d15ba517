/* A token of several numbers goes around the ring; each PE adds its own number to all of them. */
#include <shmem.h>
#include <stdio.h>

enum { WORDS = 16, ROUNDS = 5 };

static long token[WORDS];
static long arrived;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, bad = 0;

    for (long round = 1; round <= ROUNDS; round++) {
        if (me > 0)
            shmem_long_wait_until(&arrived, SHMEM_CMP_GE, round);
        for (int i = 0; i < WORDS; i++)
            token[i] += me + i;
        shmem_long_put(token, token, WORDS, next);
        shmem_fence();
        shmem_long_p(&arrived, round, next);
        if (me == 0)
            shmem_long_wait_until(&arrived, SHMEM_CMP_GE, round);
    }
    if (me == 0) {
        for (long i = 0; i < WORDS; i++)
            bad |= token[i] != ROUNDS * ((long)n * (n - 1) / 2 + n * i);
        if (bad)
            fprintf(stderr, "ring: wrong sums\n");
    }
    shmem_finalize();
    return bad;
}
