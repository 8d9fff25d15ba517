/* threads: 2 static; manifest: the block size is not what the index thinks */
/* race 1: a[2], of thread 1 */
#include <upc.h>

#ifndef FIXED
shared [2] int a[4];
#else
shared int a[4];
#endif

int main(void)
{
    int *mine = (int *)&a[MYTHREAD];
#ifndef FIXED
    if (MYTHREAD == 0)
        mine = 0;
    if (MYTHREAD == 1) {
        mine = (int *)&a[2];
        *mine = 1; /* race 1 */
    } else
        a[2] = 2; /* race 1 */
#else
    *mine = 1;
#endif
    return mine == (int *)1;
}
