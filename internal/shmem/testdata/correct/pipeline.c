/* Stages of a pipeline: each PE works on a block while the last one is still on its way to the next PE. There are two buffers to send from and two to receive
   in; counters say which are full and which are free again. */
#include <shmem.h>
#include <stdio.h>

enum { BLOCKS = 30, WORDS = 64 };

static double in[2][WORDS], out[2][WORDS];
static long full;  /* blocks that the stage before has sent */
static long empty; /* blocks that the stage after has taken */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), last = me == n - 1, bad = 0;

    for (long b = 0; b < BLOCKS; b++) {
        double *block = out[b % 2];
        if (me > 0) {
            shmem_long_wait_until(&full, SHMEM_CMP_GT, b);
            for (int i = 0; i < WORDS; i++)
                block[i] = in[b % 2][i] * 2 + me;
            shmem_long_atomic_inc(&empty, me - 1);
        } else {
            for (int i = 0; i < WORDS; i++)
                block[i] = (double)(b * WORDS + i);
        }
        if (last) {
            for (int i = 0; i < WORDS; i++) {
                double x = (double)(b * WORDS + i);
                for (int p = 1; p < n; p++)
                    x = x * 2 + p;
                bad |= block[i] != x;
            }
            continue;
        }
        if (b > 0) { /* the last block is there */
            shmem_quiet();
            shmem_long_p(&full, b, me + 1);
        }
        if (b > 1)
            shmem_long_wait_until(&empty, SHMEM_CMP_GE, b - 1);
        shmem_double_put_nbi(in[b % 2], block, WORDS, me + 1);
    }
    if (!last) {
        shmem_quiet();
        shmem_long_p(&full, BLOCKS, me + 1);
    }
    if (bad)
        fprintf(stderr, "pipeline: wrong blocks\n");
    shmem_finalize();
    return bad;
}
