/* threads: 2; manifest: upc_fence orders the accesses of one thread only */
/* race 1: value[1], of thread 1 */
#include <upc.h>

shared int value[THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        value[1] = 5; /* race 1 */
    upc_fence;
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        return value[1] > 5; /* race 1 */
    return 0;
}
