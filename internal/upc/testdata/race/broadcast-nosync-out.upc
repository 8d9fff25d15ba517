/* threads: 3; manifest: with UPC_OUT_NOSYNC the source may still be read when the function has returned */
/* race 1: from[0], of thread 0 */
#include <upc.h>
#include <upc_collective.h>

shared [] int from[1];
shared int to[THREADS];

int main(void)
{
    if (MYTHREAD == 0)
        from[0] = 1;
#ifndef FIXED
    upc_all_broadcast(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_NOSYNC); /* race 1 */
#else
    upc_all_broadcast(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
#endif
    if (MYTHREAD == 0)
        from[0] = 2; /* race 1 */
    upc_barrier;
    return 0;
}
