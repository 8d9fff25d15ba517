/* threads: 2; manifest: one access to the flag is strict, the other is not */
/* race 1: flag, of thread 0 */
#include <upc.h>

shared int flag;

int main(void)
{
    if (MYTHREAD == 0)
        *(strict shared int *)&flag = 1; /* race 1 */
    else
#ifndef FIXED
        while (!flag) /* race 1 */
#else
        while (!*(strict shared int *)&flag)
#endif
            upc_fence;
    return 0;
}
