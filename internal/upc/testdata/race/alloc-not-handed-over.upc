/* threads: 2; manifest: memory is filled after its address was handed over */
/* race 1: p[0], of thread 0 */
#include <upc.h>

shared [] int *shared where;

int main(void)
{
    shared [] int *p;
    if (MYTHREAD == 0)
        where = upc_alloc(4 * sizeof(int));
    upc_barrier;
    p = where;
    if (MYTHREAD == 0)
        p[0] = 1; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1)
        return p[0] > 1; /* race 1 */
    return 0;
}
