/* threads: 3; manifest: all threads count in the same bins */
/* race 1: bin[0], of thread 0 */
#include <upc.h>

#define BINS 4

shared [] int bin[BINS];

int main(void)
{
    upc_lock_t *l = upc_all_lock_alloc();
    for (int i = 0; i < 8; i++) {
#ifdef FIXED
        upc_lock(l);
#endif
        bin[(i * 3 + MYTHREAD) % BINS]++; /* race 1 */
#ifdef FIXED
        upc_unlock(l);
#endif
    }
    upc_barrier;
    if (MYTHREAD == 0)
        upc_lock_free(l);
    return 0;
}
