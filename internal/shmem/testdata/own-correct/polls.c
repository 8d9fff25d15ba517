/* PEs: any. Flags that are polled by volatile and atomic loads, and data behind them. */
#include "../races/cases.h"

enum { STEPS = 30, MANY = 40 };
static long data[MANY];
static volatile long flag;
static long taken;

/* Calls of the library move the data. */
static void progress(void)
{
    static long counter;
    shmem_long_atomic_fetch(&counter, (me + 1) % n);
}

int main(void)
{
    start();
    const int to = (me + 1) % n, from = (me + n - 1) % n;
    long mine[MANY], sum = 0;
    for (int i = 1; i <= STEPS; i++) {
        for (int k = 0; k < MANY; k++)
            mine[k] = i * k;
        shmem_long_put(data, mine, MANY, to);
        shmem_fence();
        shmem_long_p((long *)&flag, i, to);
        shmem_quiet();
        while (flag != i)
            progress();
        for (int k = 0; k < MANY; k++)
            sum += data[k];
        shmem_long_p(&taken, i, from);
        shmem_quiet();
        while (__atomic_load_n(&taken, __ATOMIC_ACQUIRE) != i)
            progress();
    }
    shmem_barrier_all();
    const int wrong = sum == 0;
    shmem_finalize();
    return wrong;
}
