/* threads: 3; manifest: the owner initialises by a private pointer what others get */
/* race 1: v[0], of thread 0 */
#include <upc.h>

#define N 8

shared [N] double v[N * THREADS];

int main(void)
{
    double *mine = (double *)&v[MYTHREAD * N], got[N];
    for (int i = 0; i < N; i++)
        mine[i] = i; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    upc_memget(got, &v[(MYTHREAD + 1) % THREADS * N], sizeof got); /* race 1 */
    return got[0] != 0;
}
