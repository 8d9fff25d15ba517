/* threads: 2; manifest: the flag is read once, and whatever it says the data are used */
/* race 1: data, of thread 0 */
#include <upc.h>

strict shared int flag;
shared int data;

int main(void)
{
    int seen = 0;
    if (MYTHREAD == 0) {
        data = 1; /* race 1 */
        upc_barrier;
#ifndef FIXED
        flag = 0;
#else
        flag = 1;
#endif
    } else {
#ifndef FIXED
        seen = flag;
        seen += data; /* race 1 */
#else
        upc_barrier;
        while (!flag)
            ;
        seen += data;
#endif
#ifndef FIXED
        upc_barrier;
#endif
    }
    return seen > 1;
}
