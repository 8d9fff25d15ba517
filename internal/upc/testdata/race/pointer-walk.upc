/* threads: 2; manifest: a walk over all elements meets those that their owners write */
/* race 1: a[1], of thread 1 */
#include <upc.h>

#define N 3

shared int a[N * THREADS];

int main(void)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        a[i * THREADS + MYTHREAD] = i; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        for (shared int *p = a; p < a + N * THREADS; p++)
            sum += *p; /* race 1 */
    return sum < 0;
}
