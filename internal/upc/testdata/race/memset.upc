/* threads: 2; manifest: memory is cleared while it is in use */
/* race 1: a[1], of thread 0 */
#include <upc.h>

shared [] char a[16];

int main(void)
{
    if (MYTHREAD == 0)
        upc_memset(a, 0, sizeof a); /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1)
        a[1] = 'x'; /* race 1 */
    return 0;
}
