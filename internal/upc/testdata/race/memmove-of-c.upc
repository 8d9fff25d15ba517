/* threads: 2; manifest: memmove reads what another thread writes */
/* race 1: v[1], of thread 1 */
#include <string.h>
#include <upc.h>

shared int v[THREADS];

int main(void)
{
    int mine = 0;
    if (MYTHREAD == 1)
        memmove(&mine, (int *)&v[1], sizeof(int)); /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        v[1] = 3; /* race 1 */
    return mine > 3;
}
