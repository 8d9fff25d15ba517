/* threads: 3; manifest: two threads put to the same memory */
/* race 1: buffer[0], of thread 0 */
#include <upc.h>

#define N 4

shared [] int buffer[N * 3];

int main(void)
{
    int mine[N] = {MYTHREAD};
#ifndef FIXED
    upc_memput(buffer, mine, sizeof mine); /* race 1 */
#else
    upc_memput(buffer + N * MYTHREAD, mine, sizeof mine);
#endif
    return 0;
}
