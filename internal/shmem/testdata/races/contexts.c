/* PEs: 2. Contexts complete and order what was issued on them. */
#include "cases.h"

static shmem_ctx_t ctx, other;

/* What is FIXED has the right context, all else the default one or none. */
#ifdef FIXED
#define CTX_QUIET(c) shmem_ctx_quiet(c)
#else
#define CTX_QUIET(c) (void)0
#endif

/* shmem_barrier_all completes what was issued on the default context only. */
static void case_barrier(void)
{
    static long v;
    if (me == 0)
        shmem_ctx_long_p(ctx, &v, 1, 1); /* barrier a */
    CTX_QUIET(ctx);
    shmem_barrier_all();
    if (me == 1)
        (void)shmem_long_g(&v, 1); /* barrier b */
}

/* shmem_quiet, too. */
static void case_quiet(void)
{
    static long data, flag;
    if (me == 0) {
        shmem_ctx_long_p(ctx, &data, 1, 1); /* quiet a */
        shmem_ctx_quiet(OR(SHMEM_CTX_DEFAULT, ctx));
        shmem_long_p(&flag, 1, 1);
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        (void)shmem_long_g(&data, 1); /* quiet b */
    }
}

/* A fence of a context orders no put on another one. */
static void case_fence(void)
{
    static int data, flag;
    if (me == 0) {
        shmem_ctx_int_p(ctx, &data, 1, 1); /* fence a */
        shmem_ctx_fence(ctx);
        shmem_ctx_int_p(OR(SHMEM_CTX_DEFAULT, ctx), &flag, 1, 1);
    } else if (me == 1) {
        shmem_int_wait_until(&flag, SHMEM_CMP_EQ, 1);
        (void)shmem_int_g(&data, 1); /* fence b */
    }
}

/* Two contexts put to the same place. */
static void case_two(void)
{
    static double v;
    if (me == 0) {
        shmem_ctx_double_p(ctx, &v, 1, 1); /* two a */
        shmem_ctx_fence(ctx);
        CTX_QUIET(ctx);
        shmem_ctx_double_p(other, &v, 2, 1); /* two b */
    }
}

/* A get is complete after the quiet of its own context. */
static void case_get(void)
{
    static long to[4], from[4], on[4];
    if (me == 0) {
        shmem_ctx_long_get_nbi(ctx, to, from, 4, 1); /* get a */
        shmem_ctx_quiet(OR(other, ctx));
        shmem_long_put(on, to, 4, 1); /* get b */
    }
}

/* An atomic operation on a context is not complete after a barrier. */
static void case_atomic(void)
{
    static long v;
    if (me == 0)
        shmem_ctx_long_atomic_add(ctx, &v, 1, 1); /* atomic a */
    CTX_QUIET(ctx);
    shmem_barrier_all();
    if (me == 1)
        (void)shmem_long_g(&v, 1); /* atomic b */
}

/* The default context does not wait for another one. */
static void case_default(void)
{
    static char v[8];
    char from[8] = {0};
    if (me == 0) {
        shmem_ctx_putmem(ctx, v, from, 8, 1); /* default a */
        CTX_QUIET(ctx);
        shmem_putmem(v, from, 8, 1); /* default b */
    }
}

/* The source of a put is overwritten before the quiet of its context. */
static void case_source(void)
{
    static int to[4], from[4], more[4];
    if (me == 0) {
        shmem_ctx_int_put_nbi(ctx, to, from, 4, 1); /* source a */
        shmem_ctx_quiet(OR(SHMEM_CTX_DEFAULT, ctx));
        shmem_int_get(from, more, 4, 1); /* source b */
    }
}

/* What is issued on a context comes between one case and the next. */
static void run_one(void (*a_case)(void))
{
    run(a_case);
    shmem_ctx_quiet(ctx);
    shmem_ctx_quiet(other);
}

int main(void)
{
    start();
    if (shmem_ctx_create(0, &ctx) || shmem_ctx_create(SHMEM_CTX_SERIALIZED, &other))
        shmem_global_exit(3);
    run_one(case_barrier);
    run_one(case_quiet);
    run_one(case_fence);
    run_one(case_two);
    run_one(case_get);
    run_one(case_atomic);
    run_one(case_default);
    run_one(case_source);
    shmem_ctx_destroy(ctx);
    shmem_ctx_destroy(other);
    shmem_finalize();
    return 0;
}
