/* threads: 2; manifest: the lock is given back between the read and the write */
/* race 1: n, of thread 0 */
#include <upc.h>

shared int n;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
    int old;
    upc_lock(l);
    old = n;
    upc_unlock(l);
    upc_barrier;
#ifdef FIXED
    upc_lock(l);
#endif
    n = old + 1; /* race 1 */
#ifdef FIXED
    upc_unlock(l);
#endif
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return 0;
}
