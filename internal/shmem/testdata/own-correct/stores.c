/* PEs: any. A PE stores what it has done into its own memory, atomically or as volatile, and others get it. */
#include "../races/cases.h"

static long data, spare;
static volatile long ready;

int main(void)
{
    start();
    const int other = (me + 1) % n, before = (me + n - 1) % n;
    long sum = 0;
    data = me + 1;
    spare = 7;
    sum += spare;
    __atomic_store_n((long *)&ready, 1, __ATOMIC_RELEASE);
    while (shmem_long_atomic_fetch((long *)&ready, other) != 1)
        ;
    sum += shmem_long_g(&data, other);
    shmem_long_p(&spare, me, other);
    shmem_quiet();
    shmem_barrier_all();
    sum += spare != before;
    const int wrong = sum != other + 1 + 7;
    shmem_finalize();
    return wrong;
}
