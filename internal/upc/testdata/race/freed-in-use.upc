/* threads: 2; any: memory is filled by two threads after it was handed over by a lock */
/* race 1: where, of thread 0 */
#include <upc.h>

shared [] int *shared where;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
    if (MYTHREAD == 0) {
        upc_lock(l);
        where = upc_alloc(64); /* race 1 */
        upc_unlock(l);
    }
#ifdef FIXED
    upc_lock(l);
#endif
    if (MYTHREAD == 1)
        where = 0; /* race 1 */
#ifdef FIXED
    upc_unlock(l);
#endif
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return 0;
}
