/* threads: 2; manifest: two domains know nothing of each other */
/* race 1: n, of thread 0 */
#include <upc.h>
#include <upc_atomic.h>

shared int n;

int main(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0), *e = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
    int one = 1;
#ifndef FIXED
    upc_atomic_relaxed(MYTHREAD ? d : e, 0, UPC_ADD, &n, &one, 0); /* race 1 */
#else
    upc_atomic_relaxed(d, 0, UPC_ADD, &n, &one, 0);
#endif
    upc_barrier;
    upc_all_atomicdomain_free(d);
    upc_all_atomicdomain_free(e);
    return 0;
}
