/* threads: 2; manifest: a pointer-to-local points into shared memory that another thread writes */
/* race 1: a[1], of thread 1 */
#include <upc.h>

shared int a[THREADS];

int main(void)
{
    int *mine = (int *)&a[MYTHREAD];
    if (MYTHREAD == 1)
        *mine = 3; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        a[1] = 4; /* race 1 */
    return 0;
}
