/* threads: 4; manifest: all threads add to a sum without a lock */
/* race 1: sum, of thread 0 */
#include <upc.h>

shared int sum;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
#ifdef FIXED
    upc_lock(l);
#endif
    sum += MYTHREAD; /* race 1 */
#ifdef FIXED
    upc_unlock(l);
#endif
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return 0;
}
