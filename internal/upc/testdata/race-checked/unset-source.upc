/* threads: 2; manifest: a thread reads what its own transfer is still writing, and upc-check has warned of that transfer */
/* race 1: a[0], of thread 0 */
#include <upc.h>
#include <upc_nb.h>

shared int a[THREADS];

int main(void)
{
    int unset, before = MYTHREAD;
    if (MYTHREAD == 1) {
        upc_handle_t h = upc_memput_nb(&a[0], &unset, sizeof unset); /* race 1 */
        before = a[0]; /* race 1 */
        upc_sync(h);
    }
    return before > 4 && MYTHREAD == 0;
}
