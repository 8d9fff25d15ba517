/* threads: 2; manifest: && and ?: access only what they come to */
/* race 1: b, of thread 0 */
#include <upc.h>

shared int a, b, c;

int main(void)
{
    int seen;
    if (MYTHREAD == 0)
        b = 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    seen = MYTHREAD == 1 && b > 5 && c; /* race 1 */
    seen += MYTHREAD == 0 ? 0 : a;
    return seen;
}
