/* threads: 3; manifest: what is between upc_notify and upc_wait is in both phases */
/* race 1: value[0], of thread 0 */
#include <upc.h>

shared int value[THREADS];

int main(void)
{
#ifndef FIXED
    upc_notify;
#endif
    value[MYTHREAD] = 1; /* race 1 */
#ifdef FIXED
    upc_notify;
#endif
    upc_wait;
    return value[(MYTHREAD + 1) % THREADS] > 1; /* race 1 */
}
