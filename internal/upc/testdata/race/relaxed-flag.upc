/* threads: 2; manifest: a relaxed flag hands over nothing */
/* race 1: flag, of thread 0 */
/* race 2: data, of thread 0 */
#include <upc.h>

#ifndef FIXED
shared int flag;
#else
strict shared int flag;
#endif
shared int data;

int main(void)
{
    if (MYTHREAD == 0) {
        data = 1; /* race 2 */
        flag = 1; /* race 1 */
    } else {
        while (!flag) /* race 1 */
            upc_fence;
        return data - 1; /* race 2 */
    }
    return 0;
}
