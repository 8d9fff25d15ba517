/* threads: 2; manifest: a shared pointer is followed before it is set */
/* race 1: list, of thread 0 */
#include <upc.h>

shared [] int *shared list;

int main(void)
{
    if (MYTHREAD == 0)
        list = upc_alloc(4 * sizeof(int)); /* race 1 */
#ifdef FIXED
    upc_barrier;
#else
    return list == (shared [] int *shared)&list; /* race 1 */
#endif
#ifdef FIXED
    return list == 0;
#endif
}
