/* Accounts on all PEs, a lock for each: transfers take the two locks in the order of their numbers. No money is lost. */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

enum { ACCOUNTS = 4, TRANSFERS = 25, START = 1000 };

static long balance[ACCOUNTS]; /* account a is that of PE a modulo their number */
static long lock[ACCOUNTS], log_lock;
static long log_length, log_entry[64 * TRANSFERS]; /* of PE 0 */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), bad = 0;
    uint32_t random = 99u + (uint32_t)me;

    if (n > 64)
        shmem_global_exit(2);
    for (int a = 0; a < ACCOUNTS; a++)
        balance[a] = START;
    shmem_barrier_all();
    for (int t = 0; t < TRANSFERS; t++) {
        random = random * 1664525u + 1013904223u;
        int from = random >> 8 & 3, to = (from + 1 + (random >> 16) % 3) % ACCOUNTS, low = from < to ? from : to, high = from + to - low;
        long amount = random >> 24 & 31;
        shmem_set_lock(&lock[low]);
        shmem_set_lock(&lock[high]);
        long has = shmem_long_g(&balance[from], from % n), gets = shmem_long_g(&balance[to], to % n);
        if (has >= amount) {
            shmem_long_p(&balance[from], has - amount, from % n);
            shmem_long_p(&balance[to], gets + amount, to % n);
        }
        shmem_clear_lock(&lock[high]);
        shmem_clear_lock(&lock[low]);

        if (shmem_test_lock(&log_lock) == 0) { /* who comes while it is taken writes nothing */
            long length = shmem_long_g(&log_length, 0);
            shmem_long_p(&log_entry[length], amount, 0);
            shmem_long_p(&log_length, length + 1, 0);
            shmem_clear_lock(&log_lock);
        }
    }
    shmem_barrier_all();
    if (me == 0) {
        long sum = 0;
        for (int a = 0; a < ACCOUNTS; a++)
            sum += shmem_long_g(&balance[a], a % n);
        bad = sum != (long)ACCOUNTS * START || log_length > (long)n * TRANSFERS;
        for (long i = 0; i < log_length; i++)
            bad |= log_entry[i] > 31;
    }
    if (bad)
        fprintf(stderr, "locks: money was lost\n");
    shmem_finalize();
    return bad;
}
