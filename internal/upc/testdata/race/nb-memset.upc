/* threads: 2; manifest: two non-blocking transfers, of which one clears */
/* race 1: a[0], of thread 0 */
#include <upc.h>
#include <upc_nb.h>

shared [] int a[4];

int main(void)
{
    int got[4];
    if (MYTHREAD == 1) {
        upc_handle_t h = upc_memset_nb(a, 0, sizeof a); /* race 1 */
#ifdef FIXED
        upc_sync(h);
#endif
        upc_handle_t g = upc_memget_nb(got, a, sizeof got); /* race 1 */
#ifndef FIXED
        upc_sync(h);
#endif
        upc_sync(g);
    }
    return 0;
}
