/* threads: 2; manifest: a transfer reads what its owner writes */
/* race 1: a[0], of thread 0 */
#include <upc.h>

#define N 5

shared [] int a[N];

int main(void)
{
    int got[N];
    if (MYTHREAD == 0)
        for (int i = 0; i < N; i++)
            a[i] = i; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1) {
        upc_memget(got, a, sizeof got); /* race 1 */
        return got[0] > N;
    }
    return 0;
}
