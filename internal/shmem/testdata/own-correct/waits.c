/* PEs: any. Data that is handed over by shmem_wait_until and shmem_test, in turns, and flags that are set back by plain stores. */
#include "../races/cases.h"

enum { STEPS = 20, MANY = 64 };
static long data[2][MANY], flag[2], taken[2], counter;

int main(void)
{
    start();
    const int to = (me + 1) % n, from = (me + n - 1) % n;
    long mine[MANY], sum = 0;
    for (int i = 0; i < STEPS; i++) {
        const int half = i % 2;
        for (int k = 0; k < MANY; k++)
            mine[k] = i + k;
        if (i > 1) {
            shmem_long_wait_until(&taken[half], SHMEM_CMP_EQ, i - 1);
            taken[half] = 0;
        }
        shmem_long_put(data[half], mine, MANY, to);
        shmem_fence();
        shmem_long_p(&flag[half], i + 1, to);
        if (i % 3)
            shmem_long_wait_until(&flag[half], SHMEM_CMP_EQ, i + 1);
        else
            while (!shmem_long_test(&flag[half], SHMEM_CMP_EQ, i + 1))
                shmem_long_atomic_fetch(&counter, to); /* which moves data, as shmem_long_test does not in all libraries */
        flag[half] = 0;
        for (int k = 0; k < MANY; k++)
            sum += data[half][k];
        data[half][0] = -1;
        shmem_long_p(&taken[half], i + 1, from);
    }
    shmem_barrier_all();
    const int wrong = sum == 0;
    shmem_finalize();
    return wrong;
}
