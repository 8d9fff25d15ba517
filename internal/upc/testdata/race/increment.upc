/* threads: 2; manifest: ++ reads and writes */
/* race 1: next, of thread 0 */
#include <upc.h>

shared int next;

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
    for (int i = 0; i < 3; i++) {
#ifdef FIXED
        upc_lock(l);
#endif
        next++; /* race 1 */
#ifdef FIXED
        upc_unlock(l);
#endif
    }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return 0;
}
