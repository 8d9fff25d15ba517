/* threads: 2; manifest: memory that was freed and allocated again is raced for as new memory */
/* race 1: p[0], of thread 0 */
#include <upc.h>

shared [] int *shared where;

int main(void)
{
    shared [] int *p;
    if (MYTHREAD == 0) {
        p = upc_alloc(64);
        p[0] = 1;
        upc_free(p);
        where = upc_alloc(64);
    }
    upc_barrier;
    p = where;
#ifdef FIXED
    if (MYTHREAD == 0)
#endif
    p[0] = 2; /* race 1 */
    return 0;
}
