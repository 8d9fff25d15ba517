/* threads: 3; manifest: with UPC_IN_MYSYNC only the own part of the source need be ready */
/* race 1: to[1], of thread 1 */
/* hint: pass UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC to upc_all_scatter, or put a upc_barrier between the two accesses */
#include <upc.h>
#include <upc_collective.h>

shared [] int from[8];
shared int to[THREADS];

int main(void)
{
#ifndef FIXED
    upc_all_scatter(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_MYSYNC); /* race 1 */
#else
    upc_all_scatter(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
#endif
    if (MYTHREAD == 0)
        to[1] = 2; /* race 1 */
    upc_barrier;
    return 0;
}
