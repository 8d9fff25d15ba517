/* Transposes a matrix whose rows are spread over the PEs: each row becomes a piece of a column, put at a stride. Then back, by strided gets. */
#include <shmem.h>
#include <stdio.h>

enum { ROWS = 6 }; /* of each PE */

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), side = ROWS * n, bad = 0;
    long *a = shmem_malloc(ROWS * side * sizeof *a), *t = shmem_malloc(ROWS * side * sizeof *t), *back = shmem_calloc(ROWS * side, sizeof *back);

    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < side; c++)
            a[r * side + c] = (me * ROWS + r) * 1000L + c;
    shmem_barrier_all();
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < n; k++) {
            int p = (me + k) % n;
            shmem_long_iput(t + me * ROWS + r, a + r * side + p * ROWS, side, 1, ROWS, p);
        }
    shmem_barrier_all();
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < side; c++)
            bad |= t[r * side + c] != c * 1000L + me * ROWS + r;
    for (int r = 0; r < ROWS; r++)
        for (int p = 0; p < n; p++)
            shmem_long_iget(back + r * side + p * ROWS, t + me * ROWS + r, 1, side, ROWS, p);
    for (int i = 0; i < ROWS * side; i++)
        bad |= back[i] != a[i];
    if (bad)
        fprintf(stderr, "transpose: wrong elements on PE %d\n", me);
    shmem_free(back);
    shmem_free(t);
    shmem_free(a);
    shmem_finalize();
    return bad;
}
