/* threads: 3; manifest: the neighbour reads an element that may not be written yet */
/* race 1: value[0], of thread 0 */
#include <upc.h>

shared int value[THREADS];

int main(void)
{
    value[MYTHREAD] = MYTHREAD; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    return value[(MYTHREAD + 1) % THREADS] == THREADS; /* race 1 */
}
