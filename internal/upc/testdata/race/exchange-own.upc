/* threads: 3; manifest: the blocks may still be on their way when they are read */
/* race 1: to[5], of thread 1 */
/* hint: pass UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC to upc_all_exchange, or put a upc_barrier between the two accesses */
#include <upc.h>
#include <upc_collective.h>

shared [3] int from[3 * THREADS], to[3 * THREADS];

int main(void)
{
    for (int i = 0; i < 3; i++)
        from[3 * MYTHREAD + i] = MYTHREAD;
    upc_all_exchange(to, from, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_NOSYNC); /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        return to[5] > 2; /* race 1 */
    return 0;
}
