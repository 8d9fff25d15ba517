/* threads: 3 */
/* A lock made of compare-and-swap: strict operations order what is between them. */
#include <upc.h>
#include <upc_atomic.h>

shared int lock, total;

int main(void)
{
    upc_atomicdomain_t *d = upc_all_atomicdomain_alloc(UPC_INT, UPC_CSWAP | UPC_SET, 0);
    int old, none = 0, taken = 1;
    for (int i = 0; i < 5; i++) {
        do
            upc_atomic_strict(d, &old, UPC_CSWAP, &lock, &none, &taken);
        while (old != none);
        total += MYTHREAD + 1;
        upc_atomic_strict(d, 0, UPC_SET, &lock, &none, 0);
    }
    upc_barrier;
    upc_all_atomicdomain_free(d);
    return total != 5 * THREADS * (THREADS + 1) / 2;
}
