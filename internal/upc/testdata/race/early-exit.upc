/* threads: 2; manifest: a thread leaves by upc_global_exit in the epoch of the race */
/* race 1: x, of thread 0 */
#include <upc.h>

shared int x;

int main(void)
{
#ifndef FIXED
    x = MYTHREAD; /* race 1 */
#else
    if (MYTHREAD == 0)
        x = MYTHREAD;
#endif
    upc_barrier;
    if (MYTHREAD == 1)
        upc_global_exit(0);
    upc_barrier;
    return 0;
}
