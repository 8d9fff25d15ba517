/* threads: 2; manifest: the halo is fetched before the neighbour has written it */
/* race 1: grid[0][5], of thread 0 */
#include <upc.h>

#define N 6

shared [N] double grid[THREADS][N];

int main(void)
{
    double halo;
    for (int i = 0; i < N; i++)
        grid[MYTHREAD][i] = i; /* race 1 */
#ifdef FIXED
    upc_barrier;
#endif
    if (MYTHREAD == 1) {
        upc_memget(&halo, &grid[0][N - 1], sizeof halo); /* race 1 */
        return halo < 0;
    }
    return 0;
}
