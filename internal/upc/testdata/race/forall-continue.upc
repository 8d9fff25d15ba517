/* threads: 2 static; manifest: without an affinity all threads run all iterations */
/* race 1: a[0], of thread 0 */
#include <upc.h>

shared int a[4];

int main(void)
{
#ifndef FIXED
    upc_forall (int i = 0; i < 4; i++; continue)
#else
    upc_forall (int i = 0; i < 4; i++; i)
#endif
        a[i] = i; /* race 1 */
    return 0;
}
