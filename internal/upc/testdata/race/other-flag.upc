/* threads: 3; manifest: the wrong flag is waited for */
/* race 1: data[1], of thread 1 */
#include <upc.h>

strict shared int flag[THREADS];
shared int data[THREADS];

int main(void)
{
    if (MYTHREAD < 2) {
        data[MYTHREAD] = 1; /* race 1 */
        flag[MYTHREAD] = 1;
    } else {
#ifndef FIXED
        while (!flag[0])
#else
        while (!flag[1])
#endif
            ;
        return data[1] > 1; /* race 1 */
    }
    return 0;
}
