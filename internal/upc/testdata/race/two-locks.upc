/* threads: 2; manifest: each thread holds another lock */
/* race 1: total, of thread 0 */
#include <upc.h>

shared int total;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc(), *k = upc_all_lock_alloc();
#ifndef FIXED
    upc_lock_t *mine = MYTHREAD ? l : k;
#else
    upc_lock_t *mine = l;
#endif
    upc_lock(mine);
    total += 1; /* race 1 */
    upc_unlock(mine);
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_lock_free(l);
        upc_lock_free(k);
    }
    return 0;
}
