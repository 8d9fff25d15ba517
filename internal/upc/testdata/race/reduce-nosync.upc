/* threads: 3; manifest: the result of a reduction is read before it is there */
/* race 1: sum, of thread 0 */
#include <upc.h>
#include <upc_collective.h>

shared int part[THREADS];
shared int sum;

int main(void)
{
    int seen = 0;
    part[MYTHREAD] = MYTHREAD;
#ifndef FIXED
    upc_all_reduceI(&sum, part, UPC_ADD, THREADS, 1, 0, UPC_IN_ALLSYNC | UPC_OUT_NOSYNC); /* race 1 */
#else
    upc_all_reduceI(&sum, part, UPC_ADD, THREADS, 1, 0, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
#endif
    if (MYTHREAD == 1)
        seen = sum; /* race 1 */
    upc_barrier;
    return seen > 100;
}
