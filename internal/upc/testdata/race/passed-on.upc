/* threads: 2; manifest: a function writes through a pointer-to-local */
/* race 1: row[1][0], of thread 1 */
#include <upc.h>

#define N 5

shared [N] int row[THREADS][N];

static void fill(int *to, int n)
{
    while (n-- > 0)
        *to++ = n; /* race 1 */
}

int main(void)
{
    if (MYTHREAD == 1)
        fill((int *)&row[1][0], N);
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 0)
        return row[1][0] > N; /* race 1 */
    return 0;
}
