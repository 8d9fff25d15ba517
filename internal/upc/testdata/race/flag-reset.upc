/* threads: 2; manifest: the data are filled again before they are fetched */
/* race 1: data, of thread 0 */
#include <upc.h>

strict shared int full, empty;
shared int data;

int main(void)
{
    int sum = 0;
    if (MYTHREAD == 0) {
        data = 1;
        full = 1;
        while (!empty)
            ;
        data = 2; /* race 1 */
        full = 2;
    } else {
        while (full < 1)
            ;
#ifndef FIXED
        empty = 1;
#endif
        sum += data; /* race 1 */
#ifdef FIXED
        empty = 1;
#endif
        while (full < 2)
            ;
        sum += data;
    }
    return sum < 0;
}
