/* threads: 4 */
/* Data go from thread to thread, each hand-over by a strict counter in both directions. */
#include <upc.h>

#define ROUNDS 6

strict shared int filled[THREADS], emptied[THREADS];
shared [8] double box[THREADS][8];

int main(void)
{
    double mine[8] = {0};
    for (int k = 1; k <= ROUNDS; k++) {
        if (MYTHREAD > 0) {
            while (filled[MYTHREAD] < k)
                ;
            upc_memget(mine, &box[MYTHREAD][0], sizeof mine);
            emptied[MYTHREAD] = k;
        }
        for (int i = 0; i < 8; i++)
            mine[i] += 1;
        if (MYTHREAD < THREADS - 1) {
            while (emptied[MYTHREAD + 1] < k - 1)
                ;
            for (int i = 0; i < 8; i++)
                box[MYTHREAD + 1][i] = mine[i];
            filled[MYTHREAD + 1] = k;
        }
    }
    return mine[0] < 1;
}
