/* threads: 4 */
/* Work is stolen under the lock of its owner, who looks at how much is left by a strict read first. */
#include <upc.h>

#define WORK 12

strict shared int left[THREADS];
shared int done[THREADS];
upc_lock_t *shared lock[THREADS];

static int take(int of)
{
    int got = 0;
    if (left[of] > 0) {
        upc_lock(lock[of]);
        got = left[of] > 0;
        if (got)
            left[of] = left[of] - 1;
        upc_unlock(lock[of]);
    }
    return got;
}

int main(void)
{
    int sum = 0;
    lock[MYTHREAD] = upc_global_lock_alloc();
    left[MYTHREAD] = MYTHREAD ? 0 : WORK * THREADS;
    upc_barrier;
    for (int k = 0; k < THREADS; k++)
        while (take((MYTHREAD + k) % THREADS))
            done[MYTHREAD] += 1;
    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        sum += done[i];
    upc_barrier;
    upc_lock_free(lock[MYTHREAD]);
    return sum != WORK * THREADS;
}
