/* threads: 2; manifest: an atomic counter is read without an atomic operation */
/* race 1: n, of thread 0 */
#include <upc.h>
#include <upc_atomic.h>

shared int n;

int main(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_GET, 0);
    int one = 1, seen = 0;
    if (MYTHREAD == 0)
        upc_atomic_relaxed(d, 0, UPC_ADD, &n, &one, 0); /* race 1 */
    else
#ifndef FIXED
        seen = n; /* race 1 */
#else
        upc_atomic_relaxed(d, &seen, UPC_GET, &n, 0, 0);
#endif
    upc_barrier;
    upc_all_atomicdomain_free(d);
    return seen > 1;
}
