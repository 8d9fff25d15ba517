/* threads: 2; manifest: the two sides of an assignment with an operator */
/* race 1: a, of thread 0 */
#include <upc.h>

shared long a, b;

int main(void)
{
    if (MYTHREAD == 0)
        a |= 4; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1)
        b += a; /* race 1 */
    return 0;
}
