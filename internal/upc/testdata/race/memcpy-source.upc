/* threads: 2; manifest: the source of a copy is being written */
/* race 1: a[2], of thread 0 */
#include <upc.h>

shared [] int a[4], b[4];

int main(void)
{
    if (MYTHREAD == 1)
        a[2] = 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        upc_memcpy(b, a, sizeof a); /* race 1 */
    return 0;
}
