/* threads: 2; manifest: the flag is set before the data */
/* race 1: data, of thread 0 */
#include <upc.h>

strict shared int flag;
shared int data;

int main(void)
{
    if (MYTHREAD == 0) {
#ifdef FIXED
        data = 1;
#endif
        flag = 1;
#ifndef FIXED
        data = 1; /* race 1 */
#endif
    } else {
        while (!flag)
            ;
        return data > 1; /* race 1 */
    }
    return 0;
}
