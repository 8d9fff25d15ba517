/* threads: 2; manifest: the tail of a queue moves before the item is there */
/* race 1: item[0], of thread 0 */
#include <upc.h>

shared [] int item[8];
strict shared int tail;

int main(void)
{
    if (MYTHREAD == 0) {
#ifdef FIXED
        item[0] = 5;
#endif
        tail = 1;
#ifndef FIXED
        item[0] = 5; /* race 1 */
#endif
    } else {
        while (tail == 0)
            ;
        return item[0] > 5; /* race 1 */
    }
    return 0;
}
