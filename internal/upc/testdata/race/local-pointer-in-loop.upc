/* threads: 2; manifest: each thread sums up its neighbour */
/* race 1: a[0], of thread 0 */
#include <upc.h>

#define N 6

shared [N] int a[N * THREADS];

int main(void)
{
    int *mine = (int *)&a[MYTHREAD * N], sum = 0, other = (MYTHREAD + 1) % THREADS;
    for (int i = 0; i < N; i++)
        mine[i] += i; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    for (int i = 0; i < N; i++)
        sum += a[other * N + i]; /* race 1 */
    return sum < 0;
}
