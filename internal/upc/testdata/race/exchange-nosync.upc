/* threads: 2; manifest: the parts of an exchange are overwritten while others fetch them */
/* race 1: from[0], of thread 0 */
#include <upc.h>
#include <upc_collective.h>

shared [2] int from[2 * THREADS], to[2 * THREADS];

int main(void)
{
    from[2 * MYTHREAD] = from[2 * MYTHREAD + 1] = 1;
#ifndef FIXED
    upc_all_exchange(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_NOSYNC); /* race 1 */
#else
    upc_all_exchange(to, from, sizeof(int), UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
#endif
    from[2 * MYTHREAD] = 2; /* race 1 */
    upc_barrier;
    return 0;
}
