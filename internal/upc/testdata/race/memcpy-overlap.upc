/* threads: 2; manifest: parts of two copies overlap */
/* race 1: b[3], of thread 0 */
#include <upc.h>

shared [] int a[8], b[8];

int main(void)
{
    if (MYTHREAD == 0)
        upc_memcpy(b, a, 4 * sizeof(int)); /* race 1 */
    else
#ifndef FIXED
        upc_memcpy(b + 3, a, 4 * sizeof(int)); /* race 1 */
#else
        upc_memcpy(b + 4, a, 4 * sizeof(int));
#endif
    return 0;
}
