/* threads: 2; manifest: two members of one struct are two places, the same member is one */
/* race 1: p, of thread 0 */
#include <upc.h>

shared struct { int a, b, c; } p;

int main(void)
{
    if (MYTHREAD == 0)
        p.a = 1;
    else
        p.b = 2; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        p.b = 3; /* race 1 */
    else
        p.c = 4;
    return 0;
}
