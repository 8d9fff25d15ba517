/* PEs: any. Counters that the owner changes itself, and others by get and put, under one lock. */
#include "../races/cases.h"

static long lock, counter[8];

int main(void)
{
    start();
    for (int i = 0; i < 12; i++) {
        shmem_set_lock(&lock);
        for (int k = 0; k < 8; k++)
            counter[k]++;
        const int to = (me + 1) % n;
        shmem_long_p(&counter[3], shmem_long_g(&counter[3], to) + 1, to);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    const int wrong = counter[3] != 24;
    shmem_finalize();
    return wrong;
}
