/* threads: 2; manifest: the private side of a transfer is shared memory, too */
/* race 1: from[1], of thread 1 */
#include <upc.h>

shared int from[THREADS], to[THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        upc_memput(&to[0], (int *)&from[1], sizeof(int)); /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        from[1] = 7; /* race 1 */
    return 0;
}
