/* PEs: 4. Active sets order their members only. */
#include "cases.h"

/* PE 2 is no member. */
static void case_subset(void)
{
    static long v;
    PSYNC(sync);
    if (me == 2)
        shmem_long_p(&v, 1, 1); /* subset a */
    BARRIER;
    if (me < 2)
        shmem_barrier(0, 0, 2, sync);
    if (me == 1)
        (void)shmem_long_g(&v, 1); /* subset b */
}

/* The even PEs meet, and an odd one reads. */
static void case_stride(void)
{
    static int v;
    PSYNC(sync);
    if (me == 0)
        shmem_int_p(&v, 1, 1); /* stride a */
    if (me % 2 == 0)
        shmem_barrier(0, 1, n / 2, sync);
    BARRIER;
    if (me == 1)
        (void)shmem_int_g(&v, 1); /* stride b */
}

/* shmem_sync completes nothing. */
static void case_sync(void)
{
    static long v;
    PSYNC(sync);
    if (me == 0)
        shmem_long_p(&v, 1, 1); /* sync a */
    if (me < 2) {
        QUIET;
        shmem_sync(0, 0, 2, sync);
    }
    if (me == 1)
        (void)shmem_long_g(&v, 1); /* sync b */
}

/* PE 1 is in two sets, but the one with PE 2 comes first. */
static void case_two_sets(void)
{
    static long v;
    PSYNC(low);
    PSYNC(high);
    if (me == 0)
        shmem_long_p(&v, 1, 2); /* two_sets a */
#ifdef FIXED
    if (me < 2)
        shmem_barrier(0, 0, 2, low);
#endif
    if (me == 1 || me == 2)
        shmem_barrier(1, 0, 2, high);
#ifndef FIXED
    if (me < 2)
        shmem_barrier(0, 0, 2, low);
#endif
    if (me == 2)
        (void)shmem_long_g(&v, 2); /* two_sets b */
}

/* PE 0 puts to where the odd PEs have their sum. */
static void case_odd(void)
{
    static long from, to;
    PSYNC(sync);
    PWRK(work);
    if (me == 0)
        shmem_long_p(&to, 1, 1); /* odd a */
    BARRIER;
    if (me % 2)
        shmem_long_sum_to_all(&to, &from, 1, 1, 1, n / 2, work, sync); /* odd b */
}

/* PE 0 is not in the set of the broadcast, and reads what it brings. */
static void case_broadcast(void)
{
    static long from, to;
    PSYNC(sync);
    if (me % 2)
        shmem_broadcast64(&to, &from, 1, 1, 1, 1, 2, sync); /* broadcast a */
    BARRIER;
    if (me == 0)
        (void)shmem_long_g(&to, 1); /* broadcast b */
}

/* One pSync for two sets that have PE 1 in common. */
static void case_same_sync(void)
{
    static long from, to, more;
    PSYNC(low);
    PSYNC(high);
    PWRK(work);
    PWRK(more_work);
    if (me < 2)
        shmem_long_sum_to_all(&to, &from, 1, 0, 0, 2, work, low); /* same_sync a */
    if (me == 1 || me == 2)
        shmem_long_sum_to_all(&more, &from, 1, 1, 0, 2, more_work, OR(low, high)); /* same_sync b */
    (void)high;
}

int main(void)
{
    start();
    if (n < 4)
        shmem_global_exit(3);
    run(case_subset);
    run(case_stride);
    run(case_sync);
    run(case_two_sets);
    run(case_odd);
    run(case_broadcast);
    run(case_same_sync);
    shmem_finalize();
    return 0;
}
