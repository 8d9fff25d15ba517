/* threads: 3; manifest: elements of an allocated array are written by two threads */
/* race 1: a[MYTHREAD], of thread 0 */
#include <upc.h>

int main(void)
{
    shared int *a = upc_all_alloc(THREADS, sizeof(int));
    a[MYTHREAD] = 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    a[(MYTHREAD + 1) % THREADS] = 2; /* race 1 */
    upc_barrier;
    if (MYTHREAD == 0)
        upc_free(a);
    return 0;
}
