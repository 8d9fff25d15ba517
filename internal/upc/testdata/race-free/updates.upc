/* threads: 4 */
/* Random updates, with a lock for each part of the table. */
#include <upc.h>

#define N 32

shared unsigned table[N * THREADS];
upc_lock_t *shared lock[THREADS];

int main(void)
{
    unsigned x = 11 + MYTHREAD;
    lock[MYTHREAD] = upc_global_lock_alloc();
    upc_barrier;
    for (int i = 0; i < 60; i++) {
        x = x * 1664525 + 1013904223;
        int at = (int)(x >> 8) % (N * THREADS);
        if (at < 0)
            at = -at;
        upc_lock_t *l = lock[at % THREADS];
        upc_lock(l);
        table[at] ^= x;
        upc_unlock(l);
    }
    upc_barrier;
    upc_lock_free(lock[MYTHREAD]);
    return 0;
}
