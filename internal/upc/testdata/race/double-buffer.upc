/* threads: 2; manifest: both phases use the same buffer */
/* race 1: u[0][1], of thread 0 */
#include <upc.h>

#define N 4

shared [] double u[2][N];

int main(void)
{
    for (int k = 0; k < 2; k++) {
        if (MYTHREAD == 0)
            for (int i = 1; i < N; i++)
                u[k % 2][i] = u[(k + 1) % 2][i] + 1; /* race 1 */
#ifdef FIXED
        upc_barrier;
#endif
        if (MYTHREAD == 1 && u[k % 2][1] < 0) /* race 1 */
            return 1;
#ifdef FIXED
        upc_barrier;
#endif
    }
    return 0;
}
