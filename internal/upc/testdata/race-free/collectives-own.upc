/* threads: 3 */
/* Collectives that begin with what those have who have entered, and may go on until the next barrier. */
#include <upc.h>
#include <upc_collective.h>

#define N 2

shared [N] int part[THREADS][N];
shared [4] int rows[4 * THREADS], columns[4 * THREADS];
shared [] int all[64];

int main(void)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 4; i++)
            rows[4 * MYTHREAD + i] = i + k;
        for (int i = 0; i < N; i++)
            part[MYTHREAD][i] = MYTHREAD + k;
        upc_all_exchange(columns, rows, sizeof(int), UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
        upc_all_gather(all, part, N * sizeof(int), UPC_IN_MYSYNC | UPC_OUT_NOSYNC);
        upc_barrier;
        rows[4 * MYTHREAD] = columns[4 * MYTHREAD];
        if (all[N] != 1 + k)
            return 1;
        upc_barrier;
    }
    return 0;
}
