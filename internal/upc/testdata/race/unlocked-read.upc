/* threads: 2; any: the write is under a lock, the read is not */
/* race 1: total, of thread 0 */
#include <upc.h>

shared int total;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
    int seen;
    if (MYTHREAD == 0) {
        upc_lock(l);
        total = 1; /* race 1 */
        upc_unlock(l);
    } else {
#ifdef FIXED
        upc_lock(l);
#endif
        seen = total; /* race 1 */
#ifdef FIXED
        upc_unlock(l);
#endif
    }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return 0;
}
