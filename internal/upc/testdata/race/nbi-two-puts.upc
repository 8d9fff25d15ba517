/* threads: 2; manifest: two implicit transfers of one thread to the same memory */
/* race 1: a[1], of thread 1 */
#include <upc.h>
#include <upc_nb.h>

shared int a[THREADS];

int main(void)
{
    int x = 1, y = 2;
    if (MYTHREAD == 0) {
        upc_memput_nbi(&a[1], &x, sizeof x); /* race 1 */
#ifdef FIXED
        upc_synci();
#endif
        upc_memput_nbi(&a[1], &y, sizeof y); /* race 1 */
        upc_synci();
    }
    return 0;
}
