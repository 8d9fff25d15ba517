/* threads: 2 static; manifest: columns are read before all rows are written */
/* race 1: m[0][1], of thread 0 */
#include <upc.h>

#define N 4

shared [N] int m[N][N];

int main(void)
{
    int sum = 0;
    upc_forall (int i = 0; i < N; i++; &m[i][0])
        for (int j = 0; j < N; j++)
            m[i][j] = i * j; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    upc_forall (int j = 0; j < N; j++; j)
        for (int i = 0; i < N; i++)
            sum += m[i][j]; /* race 1 */
    return sum < 0;
}
