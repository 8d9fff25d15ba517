/* threads: 2; manifest: a barrier does not complete a transfer */
/* race 1: a[1], of thread 1 */
#include <upc.h>
#include <upc_nb.h>

shared int a[THREADS];

int main(void)
{
    int x = 1;
    upc_handle_t h = UPC_COMPLETE_HANDLE;
    if (MYTHREAD == 0)
        h = upc_memput_nb(&a[1], &x, sizeof x); /* race 1 */
#ifdef FIXED
    upc_sync(h);
#endif
    upc_barrier;
    if (MYTHREAD == 1)
        a[1] = 2; /* race 1 */
#ifndef FIXED
    upc_sync(h);
#endif
    return 0;
}
