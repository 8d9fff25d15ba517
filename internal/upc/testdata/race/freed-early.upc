/* threads: 3; manifest: an object is freed while others read it */
/* race 1: p[1], of thread 1 */
/* race 2: q[2 * THREADS - 1], of thread 2 */
#include <upc.h>

shared [] int *shared where;

int main(void)
{
    if (MYTHREAD == 1) {
        where = upc_alloc(2 * sizeof(int));
        where[1] = 3;
    }
    shared [2] int *q = upc_all_alloc(THREADS, 2 * sizeof(int));
    upc_barrier;
    shared [] int *p = where;
    int sum = 0;
    if (MYTHREAD == 0)
        sum += p[1]; /* race 1 */
    if (MYTHREAD == 1)
        sum += q[2 * THREADS - 1]; /* race 2 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1)
        upc_free(p); /* race 1 */
    if (MYTHREAD == 2)
        upc_free(q); /* race 2 */
    return sum == 7;
}
