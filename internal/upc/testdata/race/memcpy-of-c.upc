/* threads: 2; manifest: a function of the C library writes the own part of an array that another thread reads */
/* race 1: v[1][0], of thread 1 */
#include <string.h>
#include <upc.h>

#define N 8

shared [N] double v[THREADS][N];

int main(void)
{
    double mine[N] = {0}, got;
    memcpy((double *)&v[MYTHREAD][0], mine, sizeof mine); /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0) {
        upc_memget(&got, &v[1][0], sizeof got); /* race 1 */
        return got > 0;
    }
    return 0;
}
