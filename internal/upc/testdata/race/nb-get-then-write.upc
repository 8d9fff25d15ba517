/* threads: 2; manifest: a thread writes what its own transfer still reads */
/* race 1: a[1], of thread 1 */
#include <upc.h>
#include <upc_nb.h>

shared int a[THREADS];

int main(void)
{
    int x;
    if (MYTHREAD == 0) {
        upc_handle_t h = upc_memget_nb(&x, &a[1], sizeof x); /* race 1 */
#ifdef FIXED
        upc_sync(h);
#endif
        a[1] = 2; /* race 1 */
#ifndef FIXED
        upc_sync(h);
#endif
    }
    return 0;
}
