/* threads: 2; manifest: the lock is not looked at when it was not got */
/* race 1: n, of thread 0 */
#include <upc.h>

shared int n;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc(), *k = upc_all_lock_alloc();
    upc_lock_t *mine = MYTHREAD ? l : k;
#ifndef FIXED
    if (upc_lock_attempt(mine)) {
#else
    while (!upc_lock_attempt(l))
        ;
    mine = l;
    {
#endif
        n++; /* race 1 */
        upc_unlock(mine);
    }
    upc_barrier;
    if (MYTHREAD == 0) {
        upc_lock_free(l);
        upc_lock_free(k);
    }
    return 0;
}
