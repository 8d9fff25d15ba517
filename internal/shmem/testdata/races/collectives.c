/* PEs: 2. Buffers of collectives, pSync, and what a collective does not order. */
#include "cases.h"

/* The second root may begin while others are still in the first broadcast. */
static void case_sync_again(void)
{
    static long from, to, other;
    PSYNC(first);
    PSYNC(second);
    shmem_broadcast64(&to, &from, 1, 0, 0, 0, n, first); /* sync_again a */
    shmem_broadcast64(&other, &from, 1, 1, 0, 0, n, OR(first, second)); /* sync_again b */
    (void)second;
}

/* Sums in a loop need two pSync arrays in turn. */
static void case_sums(void)
{
    static long from[3], to[3];
    PSYNC(first);
    PSYNC(second);
    PWRK(work);
    for (int i = 0; i < 3; i++)
        shmem_long_sum_to_all(&to[i], &from[i], 1, 0, 0, n, work, i % 2 ? OR(first, second) : first); /* sums ab */
    (void)second;
}

/* A put comes to where the sum will be. */
static void case_target(void)
{
    static int from, to;
    PSYNC(sync);
    PWRK(work);
    if (me == 0)
        shmem_int_p(&to, 0, 1); /* target a */
    BARRIER;
    shmem_int_sum_to_all(&to, &from, 1, 0, 0, n, (int *)work, sync); /* target b */
}

/* A put comes to what is summed up. */
static void case_source(void)
{
    static double from[4], to[4];
    PSYNC(sync);
    PWRK(work);
    if (me == 0)
        shmem_double_p(&from[3], 1, 1); /* source a */
    BARRIER;
    shmem_double_max_to_all(to, from, 4, 0, 0, n, (double *)work, sync); /* source b */
}

/* The root does not wait for those that it sends to. */
static void case_broadcast_target(void)
{
    static long from[4], to[4];
    PSYNC(sync);
    shmem_broadcast64(to, from, 4, 0, 0, 0, n, sync); /* broadcast_target a */
    BARRIER;
    if (me == 0)
        (void)shmem_long_g(&to[2], 1); /* broadcast_target b */
}

/* Another PE may still be about to store its sum. */
static void case_early_put(void)
{
    static long from, to;
    PSYNC(sync);
    PWRK(work);
    shmem_long_sum_to_all(&to, &from, 1, 0, 0, n, work, sync); /* early_put a */
    BARRIER;
    if (me == 0)
        shmem_long_p(&to, 0, 1); /* early_put b */
}

/* Another PE may still be about to store what it collects. */
static void case_fcollect(void)
{
    static uint64_t from[2], to[8];
    PSYNC(sync);
    shmem_fcollect64(to, from, 2, 0, 0, n, sync); /* fcollect a */
    BARRIER;
    if (me == 0)
        (void)shmem_uint64_g(&to[1], 1); /* fcollect b */
}

/* A put comes to what is exchanged. */
static void case_alltoall(void)
{
    static uint64_t from[4], to[4];
    PSYNC(sync);
    if (me == 0)
        shmem_uint64_p(&from[1], 1, 1); /* alltoall a */
    BARRIER;
    shmem_alltoall64(to, from, 1, 0, 0, n, sync); /* alltoall b */
}

/* A put comes to what the root sends. */
static void case_broadcast_source(void)
{
    static int from[2], to[2];
    PSYNC(sync);
    if (me == 1)
        shmem_int_p(&from[0], 1, 0); /* broadcast_source a */
    BARRIER;
    shmem_broadcast32(to, from, 2, 0, 0, 0, n, sync); /* broadcast_source b */
}

/* The root may send while another PE still uses what is overwritten. */
static void case_broadcast_again(void)
{
    static long from, to, copy;
    PSYNC(sync);
    if (me == 0)
        shmem_long_p(&to, 1, 1);
    shmem_barrier_all();
    if (me == 1)
        shmem_long_put(&copy, &to, 1, 1); /* broadcast_again a */
    BARRIER;
    shmem_broadcast64(&to, &from, 1, 0, 0, 0, n, sync); /* broadcast_again b */
}

/* A sum orders what was complete before it, and completes nothing. */
static void case_not_complete(void)
{
    static long v, from, to;
    PSYNC(sync);
    PWRK(work);
    if (me == 0)
        shmem_long_p(&v, 1, 1); /* not_complete a */
    QUIET;
    shmem_long_sum_to_all(&to, &from, 1, 0, 0, n, work, sync);
    if (me == 1)
        (void)shmem_long_g(&v, 1); /* not_complete b */
}

/* The root of a broadcast knows nothing of the others afterwards. */
static void case_no_barrier(void)
{
    static long v, from, to;
    PSYNC(sync);
    if (me == 1) {
        shmem_long_p(&v, 1, 1); /* no_barrier a */
        shmem_quiet();
    }
    shmem_broadcast64(&to, &from, 1, 0, 0, 0, n, sync);
    BARRIER;
    if (me == 0)
        (void)shmem_long_g(&v, 1); /* no_barrier b */
}

/* A put comes to where parts at a stride are stored. */
static void case_alltoalls(void)
{
    static uint32_t from[8], to[8];
    PSYNC(sync);
    if (me == 0)
        shmem_uint32_p(&to[OR(2, 3)], 1, 1); /* alltoalls a */
    shmem_alltoalls32(to, from, 2, 1, 1, 0, 0, n, sync); /* alltoalls b */
}

int main(void)
{
    start();
    run(case_sync_again);
    run(case_sums);
    run(case_target);
    run(case_source);
    run(case_broadcast_target);
    run(case_early_put);
    run(case_fcollect);
    run(case_alltoall);
    run(case_broadcast_source);
    run(case_broadcast_again);
    run(case_not_complete);
    run(case_no_barrier);
    run(case_alltoalls);
    shmem_finalize();
    return 0;
}
