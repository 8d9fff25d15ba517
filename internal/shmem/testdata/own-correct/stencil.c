/* PEs: any. Rows of a grid with borders of the neighbours, and a sum of all. */
#include "../races/cases.h"

enum { ROWS = 16, COLUMNS = 32, STEPS = 40 };
static double old[ROWS + 2][COLUMNS], new[ROWS + 2][COLUMNS], change, all;
PSYNC(sync_a);
PSYNC(sync_b);
static double work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], work_b[SHMEM_REDUCE_MIN_WRKDATA_SIZE];

int main(void)
{
    start();
    for (int i = 0; i < ROWS + 2; i++)
        for (int k = 0; k < COLUMNS; k++)
            old[i][k] = new[i][k] = me + i * k % 7;
    shmem_barrier_all();
    for (int s = 0; s < STEPS; s++) {
        if (me > 0)
            shmem_double_put(old[ROWS + 1], old[1], COLUMNS, me - 1);
        if (me < n - 1)
            shmem_double_put(old[0], old[ROWS], COLUMNS, me + 1);
        shmem_barrier_all();
        change = 0;
        for (int i = 1; i <= ROWS; i++)
            for (int k = 1; k < COLUMNS - 1; k++) {
                new[i][k] = (old[i - 1][k] + old[i + 1][k] + old[i][k - 1] + old[i][k + 1]) / 4;
                change += new[i][k] > old[i][k] ? new[i][k] - old[i][k] : old[i][k] - new[i][k];
            }
        shmem_double_sum_to_all(&all, &change, 1, 0, 0, n, s % 2 ? work : work_b, s % 2 ? sync_a : sync_b);
        memcpy(old[1], new[1], ROWS * sizeof new[0]);
        shmem_barrier_all();
    }
    const int wrong = all < 0;
    shmem_finalize();
    return wrong;
}
