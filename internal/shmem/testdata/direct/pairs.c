/* PEs: 2. Two PEs that reach each other's memory. */
#include "cases.h"

static volatile long sink;

/* Each stores to the other one's half, and one of them does not wait. */
static void case_exchange(void)
{
    long *v = ZEROED(2, sizeof *v);
    AT(v, 1 - me)[me] = me; /* exchange a */
    BARRIER;
    sink += v[1 - me]; /* exchange b */
    shmem_free(v);
}

/* The flag comes before the data. */
static void case_order(void)
{
    long *data = ZEROED(8, sizeof *data), *flag = ZEROED(1, sizeof *flag);
    if (me == 0) {
        if (OR(0, 1))
            AT(data, 1)[3] = 8;
        shmem_fence();
        shmem_long_p(flag, 1, 1);
        if (OR(1, 0))
            AT(data, 1)[3] = 8; /* order a */
    } else {
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
        sink += data[3]; /* order b */
    }
    shmem_barrier_all();
    shmem_free(flag);
    shmem_free(data);
}

/* An address that was got long ago, and kept in a structure. */
static struct view { double *row; int count; } views[2];

static void case_view(void)
{
    double *v = ZEROED(64, sizeof *v);
    views[0] = (struct view){AT(v, 0), 64};
    views[1] = (struct view){AT(v, 1), 64};
    shmem_barrier_all();
    if (me == 0)
        for (int i = 0; i < views[1].count; i++)
            views[1].row[i] *= 2; /* view a */
    BARRIER;
    if (me == 1)
        v[10] = 1; /* view b */
    shmem_free(v);
}

int main(void)
{
    start();
    run(case_exchange);
    run(case_order);
    run(case_view);
    shmem_finalize();
    return 0;
}
