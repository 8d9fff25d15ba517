/* PEs: any. A stencil whose borders are loaded from the neighbours' rows, with shmem_sync_all between the steps, and results that are gathered by memcpy. */
#include "../direct/cases.h"

enum { STEPS = 12, CELLS = 200 };
struct row { double cells[CELLS]; int step; };

static void smooth(struct row *to, const struct row *from, const double *left, const double *right)
{
    for (int i = 0; i < CELLS; i++) {
        const double a = i > 0 ? from->cells[i - 1] : *left, b = i + 1 < CELLS ? from->cells[i + 1] : *right;
        to->cells[i] = (a + from->cells[i] + b) / 3;
    }
    to->step = from->step + 1;
}

int main(void)
{
    start();
    struct row *rows = ZEROED(2, sizeof *rows), *all = malloc((size_t)n * sizeof *all);
    struct row *left = AT(rows, (me + n - 1) % n), *right = AT(rows, (me + 1) % n);
    for (int i = 0; i < CELLS; i++)
        rows[0].cells[i] = me * CELLS + i;
    shmem_sync_all();
    for (int s = 0; s < STEPS; s++) {
        const int now = s % 2;
        smooth(&rows[!now], &rows[now], &left[now].cells[CELLS - 1], &right[now].cells[0]);
        shmem_sync_all();
    }
    int wrong = 0;
    volatile size_t many = sizeof *all;
    for (int pe = 0; pe < n; pe++) {
        memcpy(&all[pe], AT(&rows[STEPS % 2], pe), many);
        wrong |= all[pe].step != STEPS;
    }
    shmem_barrier_all();
    *AT(rows, (me + 1) % n) = all[me]; /* a structure as a whole */
    shmem_barrier_all();
    wrong |= rows[0].step != STEPS;
    shmem_free(rows);
    free(all);
    shmem_finalize();
    return wrong;
}
