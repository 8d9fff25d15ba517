/* threads: 3; manifest: an element is written again while others may still read it */
/* race 1: value[0], of thread 0 */
#include <upc.h>

shared int value[THREADS];

int main(void)
{
    int sum = 0;
    value[MYTHREAD] = 1;
    upc_barrier;
    for (int i = 0; i < THREADS; i++)
        sum += value[i]; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    value[MYTHREAD] = sum; /* race 1 */
    return 0;
}
