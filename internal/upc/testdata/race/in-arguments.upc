/* threads: 2; manifest: an argument of a call reads what another thread writes */
/* race 1: n[1], of thread 1 */
#include <stdio.h>
#include <upc.h>

shared int n[THREADS];

int main(void)
{
    char text[20];
    n[MYTHREAD] = MYTHREAD; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        snprintf(text, sizeof text, "%d", n[1]); /* race 1 */
    return 0;
}
