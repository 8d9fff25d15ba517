/* threads: 2; manifest: what comes after the last barrier is not ordered by the end of the program */
/* race 1: done[0], of thread 0 */
#include <upc.h>

shared int done[THREADS];

int main(void)
{
    upc_barrier;
    done[MYTHREAD] = 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1)
        return done[0] > 1; /* race 1 */
    return 0;
}
