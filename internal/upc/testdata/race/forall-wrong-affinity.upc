/* threads: 3; manifest: the affinity is that of another array */
/* race 1: b[1], of thread 0 */
#include <upc.h>

#define N 6

shared int a[N * THREADS];
shared [2] int b[N * THREADS];

int main(void)
{
#ifndef FIXED
    upc_forall (int i = 0; i < N; i++; &a[i])
#else
    upc_forall (int i = 0; i < N; i++; &b[i])
#endif
        b[i] = i; /* race 1 */
    upc_forall (int i = 0; i < N; i++; &b[i])
        b[i] += 1; /* race 1 */
    return 0;
}
