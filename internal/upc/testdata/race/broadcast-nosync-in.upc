/* threads: 3; manifest: with UPC_IN_NOSYNC others may fetch before the source is written */
/* race 1: from[0], of thread 0 */
/* hint: pass UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC to upc_all_broadcast, or put a upc_barrier between the two accesses */
#include <upc.h>
#include <upc_collective.h>

shared [] int from[1];
shared int to[THREADS];

int main(void)
{
    if (MYTHREAD == 0)
        from[0] = 1; /* race 1 */
#ifndef FIXED
    upc_all_broadcast(to, from, sizeof(int), UPC_IN_NOSYNC | UPC_OUT_ALLSYNC); /* race 1 */
#else
    upc_all_broadcast(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
#endif
    return to[MYTHREAD] - 1;
}
