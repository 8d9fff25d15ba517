/* threads: 3 */
/* Collectives that wait for what they need, with accesses right before and after them. */
#include <upc.h>
#include <upc_collective.h>

#define N 3

shared [N] int part[THREADS][N], got[THREADS][N];
shared [] int all[64];
shared int sum;

int main(void)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < N; i++)
            part[MYTHREAD][i] = MYTHREAD + k;
        upc_all_gather(all, part, N * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_ALLSYNC);
        if (MYTHREAD == 0)
            all[k] += 1;
        upc_all_scatter(got, all, N * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_MYSYNC);
        got[MYTHREAD][0] += 1;
        upc_all_reduceI(&sum, (shared int *)part, UPC_ADD, N * THREADS, N, 0, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
        if (sum < 0)
            return 1;
        upc_barrier;
    }
    return 0;
}
