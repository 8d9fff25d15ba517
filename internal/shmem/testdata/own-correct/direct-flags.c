/* PEs: any. Data that is stored by shmem_ptr, and flags for it: put, stored after a fence, and answered in both ways. The other PE waits by shmem_wait_until. */
#include "../direct/cases.h"

enum { STEPS = 10, MANY = 40 };

int main(void)
{
    start();
    const int to = (me + 1) % n, from = (me + n - 1) % n;
    long *data = ZEROED(MANY, sizeof *data), *flag = ZEROED(2, sizeof *flag), *taken = ZEROED(2, sizeof *taken), sum = 0;
    long *there = AT(data, to), *set = AT(flag, to), *back = AT(taken, from);
    for (int i = 1; i <= STEPS; i++) {
        for (int k = 0; k < MANY; k++)
            there[k] = i * k;
        if (i % 3) {
            shmem_fence();
            *set = i;
        } else {
            shmem_quiet();
            shmem_long_p(flag, i, to);
        }
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, i);
        for (int k = 0; k < MANY; k++)
            sum += data[k];
        shmem_fence();
        *back = i;
        shmem_long_wait_until(taken, SHMEM_CMP_EQ, i);
    }
    shmem_barrier_all();
    const int wrong = sum == 0;
    shmem_finalize();
    return wrong;
}
