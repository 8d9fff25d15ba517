/* PEs: 2. Locks that do not guard what they should. */
#include "cases.h"
#include <fcntl.h>
#include <stdio.h>

/* One PE has the lock, the other one does not ask for it. */
static void case_no_lock(void)
{
    static long v, lock;
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_p(&v, 1, 0); /* no_lock a */
        shmem_clear_lock(&lock);
    } else if (me == 1) {
#ifdef FIXED
        shmem_set_lock(&lock);
#endif
        shmem_long_p(&v, 2, 0); /* no_lock b */
#ifdef FIXED
        shmem_clear_lock(&lock);
#endif
    }
}

/* Each has another lock. */
static void case_two_locks(void)
{
    static long v, lock, other;
    long *mine = me == OR(1, -1) ? &other : &lock;
    if (me > 1)
        return;
    shmem_set_lock(mine);
    shmem_long_p(&v, me, 0); /* two_locks ab */
    shmem_clear_lock(mine);
}

/* Whether the lock was got is not looked at. */
static void case_failed_test(void)
{
    static long v, lock;
    if (me == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == 0)
        shmem_long_p(&v, 1, 0); /* failed_test a */
    if (me == 1) {
        int got = shmem_test_lock(&lock) == 0;
        if (got || OR(1, 0))
            shmem_long_p(&v, 2, 0); /* failed_test b */
        if (got)
            shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(&lock);
}

/* Who reads needs the lock, too. */
static void case_reader(void)
{
    static double v[4];
    static long lock;
    double x[4] = {0};
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_double_put(v, x, 4, 1); /* reader a */
        shmem_clear_lock(&lock);
    } else if (me == 1) {
#ifdef FIXED
        shmem_set_lock(&lock);
#endif
        shmem_double_get(x, v, 4, 1); /* reader b */
#ifdef FIXED
        shmem_clear_lock(&lock);
#endif
    }
}

/* A lock for each part, but the parts have an element in common. */
static void case_parts(void)
{
    static int v[8];
    static long lock[2];
    int from[4] = {0};
    if (me > 1)
        return;
    shmem_set_lock(&lock[me]);
    shmem_int_put(v + OR(3, 4) * me, from, 4, 0); /* parts ab */
    shmem_clear_lock(&lock[me]);
}

/* shmem_clear_lock completes what was issued on the default context only. */
static void case_context(void)
{
    static long v, lock;
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx))
        shmem_global_exit(3);
    if (me < 2) {
        shmem_set_lock(&lock);
        shmem_ctx_long_p(ctx, &v, me, 0); /* context ab */
#ifdef FIXED
        shmem_ctx_quiet(ctx);
#endif
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    shmem_ctx_destroy(ctx);
}

/* A file that both PEs know. */
static const char *common(void)
{
    static char path[64];
    snprintf(path, sizeof path, "/tmp/unknot-locks-%d", (int)getppid());
    return path;
}

/* The first put comes before the lock is taken. Only the order in which the two take it has kept them apart. (The second PE waits for a file, which nobody sees.) */
static void case_order(void)
{
    static long v, lock, idle;
    if (me == 0) {
#ifdef FIXED
        shmem_set_lock(&lock);
#endif
        shmem_long_p(&v, 1, 0); /* order a ? */
#ifndef FIXED
        shmem_set_lock(&lock);
#endif
        shmem_clear_lock(&lock);
        close(creat(common(), 0600));
    } else if (me == 1) {
        while (access(common(), F_OK) != 0)
            (void)shmem_long_g(&idle, n - 1); /* lets the library work */
        unlink(common());
        shmem_set_lock(&lock);
        shmem_long_p(&v, 2, 0); /* order b ? */
        shmem_clear_lock(&lock);
    }
}

int main(void)
{
    start();
    run(case_no_lock);
    run(case_two_locks);
    run(case_failed_test);
    run(case_reader);
    run(case_parts);
    run(case_context);
    run(case_order);
    shmem_finalize();
    return 0;
}
