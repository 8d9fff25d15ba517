/* threads: 2; manifest: a counter is set back beside atomic operations */
/* race 1: n, of thread 0 */
#include <upc.h>
#include <upc_atomic.h>

shared int n;

int main(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD | UPC_SET, 0);
    int one = 1, none = 0;
    upc_atomic_relaxed(d, 0, UPC_ADD, &n, &one, 0); /* race 1 */
    if (MYTHREAD == 1)
#ifndef FIXED
        n = none; /* race 1 */
#else
        upc_atomic_relaxed(d, 0, UPC_SET, &n, &none, 0);
#endif
    upc_barrier;
    upc_all_atomicdomain_free(d);
    return 0;
}
