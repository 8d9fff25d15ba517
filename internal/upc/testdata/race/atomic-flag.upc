/* threads: 2; manifest: a relaxed atomic flag hands over nothing */
/* race 1: data, of thread 0 */
#include <upc.h>
#include <upc_atomic.h>

shared int flag, data;

int main(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_GET | UPC_SET, 0);
    int one = 1, seen = 0;
    if (MYTHREAD == 0) {
        data = 1; /* race 1 */
#ifndef FIXED
        upc_atomic_relaxed(d, 0, UPC_SET, &flag, &one, 0);
#else
        upc_atomic_strict(d, 0, UPC_SET, &flag, &one, 0);
#endif
    } else {
        while (!seen)
#ifndef FIXED
            upc_atomic_relaxed(d, &seen, UPC_GET, &flag, 0, 0);
#else
            upc_atomic_strict(d, &seen, UPC_GET, &flag, 0, 0);
#endif
        seen = data; /* race 1 */
    }
    upc_barrier;
    upc_all_atomicdomain_free(d);
    return 0;
}
