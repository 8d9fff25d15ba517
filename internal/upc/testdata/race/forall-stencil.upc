/* threads: 3 static; manifest: neighbours are read while they are being written */
/* race 1: a[3], of thread 0 */
#include <upc.h>

#define N 9

shared int a[N], b[N];

int main(void)
{
    upc_forall (int i = 1; i < N - 1; i++; &a[i])
#ifndef FIXED
        a[i] = a[i - 1] + b[i]; /* race 1 */
#else
        b[i] += a[i - 1];
    upc_barrier;
    upc_forall (int i = 1; i < N - 1; i++; &a[i])
        a[i] = b[i];
#endif
    return 0;
}
