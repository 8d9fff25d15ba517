/* PEs: any. Counters of signals that many PEs add to, and the data that each of them has put before. */
#include "../races/cases.h"

enum { STEPS = 6 };
static int slots[STEPS][64];
static int signals[STEPS]; /* one for each step: a PE may be a step ahead */

int main(void)
{
    start();
    long sum = 0;
    for (int i = 0; i < STEPS; i++) {
        for (int p = 0; p < n; p++) {
            shmem_int_p(&slots[i][me], 10 * i + me, p);
            shmem_quiet();
            shmem_int_atomic_inc(&signals[i], p);
        }
        shmem_int_wait_until(&signals[i], SHMEM_CMP_GE, n);
        for (int p = 0; p < n; p++)
            sum += slots[i][p];
    }
    shmem_barrier_all();
    const int wrong = sum == 0;
    shmem_finalize();
    return wrong;
}
