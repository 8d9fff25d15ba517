/* threads: 3; manifest: upc_notify alone orders nothing */
/* race 1: value[0], of thread 0 */
#include <upc.h>

shared int value[THREADS];

int main(void)
{
    int seen;
    value[MYTHREAD] = 1; /* race 1 */
    upc_notify;
#ifdef FIXED
    upc_wait;
#endif
    seen = value[(MYTHREAD + 1) % THREADS]; /* race 1 */
#ifndef FIXED
    upc_wait;
#endif
    return seen > 1;
}
