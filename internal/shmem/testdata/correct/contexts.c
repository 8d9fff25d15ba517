/* Two contexts: blocks go out on one, while parts of a table are read ahead on the other one. Each is completed by itself. */
#include <shmem.h>
#include <stdio.h>

enum { WORDS = 32, STEPS = 6, MOST = 64 };

static long table[STEPS][WORDS];         /* of each PE, does not change */
static long inbox[MOST][STEPS][WORDS];   /* a part for each sender */
static long arrived, errors;             /* blocks; of PE 0 */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), right = (me + 1) % n, left = (me + n - 1) % n;
    long ahead[2][WORDS], wrong = 0;
    shmem_ctx_t send, read;

    if (n > MOST || shmem_ctx_create(0, &send) || shmem_ctx_create(SHMEM_CTX_SERIALIZED, &read))
        shmem_global_exit(2);
    for (int s = 0; s < STEPS; s++)
        for (int i = 0; i < WORDS; i++)
            table[s][i] = me * 10000 + s * 100 + i;
    shmem_barrier_all();

    shmem_ctx_long_get_nbi(read, ahead[0], table[0], WORDS, left);
    for (int s = 0; s < STEPS; s++) {
        shmem_ctx_quiet(read);
        long *now = ahead[s % 2];
        if (s + 1 < STEPS)
            shmem_ctx_long_get_nbi(read, ahead[(s + 1) % 2], table[s + 1], WORDS, left);
        for (int i = 0; i < WORDS; i++)
            now[i] *= 3;
        shmem_ctx_long_put(send, inbox[me][s], now, WORDS, right);
        shmem_ctx_fence(send);
        shmem_ctx_long_atomic_inc(send, &arrived, right);
    }
    shmem_long_wait_until(&arrived, SHMEM_CMP_EQ, STEPS);
    for (int s = 0; s < STEPS; s++)
        for (int i = 0; i < WORDS; i++)
            wrong += inbox[left][s][i] != 3 * (((left + n - 1) % n) * 10000 + s * 100 + i);
    shmem_ctx_long_atomic_add(send, &errors, wrong, 0);
    shmem_ctx_quiet(send);
    shmem_ctx_destroy(read);
    shmem_ctx_destroy(send);
    shmem_barrier_all();
    long all = shmem_long_g(&errors, 0);
    if (me == 0 && all)
        fprintf(stderr, "contexts: %ld wrong words\n", all);
    shmem_finalize();
    return all != 0;
}
