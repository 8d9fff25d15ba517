/* threads: 2; manifest: neighbouring bit-fields are in one byte */
/* race 1: flags, of thread 0 */
#include <upc.h>

#ifndef FIXED
shared struct { unsigned a : 3, b : 3; } flags;
#else
shared struct { unsigned a : 3, : 0, b : 3; } flags;
#endif

int main(void)
{
    if (MYTHREAD == 0)
        flags.a = 1; /* race 1 */
    else
        flags.b = 1; /* race 1 */
    return 0;
}
