/* threads: 2; manifest: memset clears what another thread writes */
/* race 1: v[1], of thread 1 */
#include <string.h>
#include <upc.h>

shared int v[THREADS];

int main(void)
{
    if (MYTHREAD == 1)
        memset((int *)&v[1], 0, sizeof(int)); /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        v[1] = 3; /* race 1 */
    return 0;
}
