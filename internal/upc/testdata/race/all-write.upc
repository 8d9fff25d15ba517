/* threads: 4; manifest: all threads write the same */
/* race 1: result, of thread 0 */
#include <upc.h>

shared int result;

int main(void)
{
#ifndef FIXED
    result = 42; /* race 1 */
#else
    if (MYTHREAD == 0)
        result = 42;
#endif
    return 0;
}
