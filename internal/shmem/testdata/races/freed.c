/* PEs: 2. Blocks that are freed while they are in use: shmem_free completes what was issued on the default context only. */
#include "cases.h"

static shmem_ctx_t ctx;

#ifdef FIXED
#define CTX_QUIET shmem_ctx_quiet(ctx)
#else
#define CTX_QUIET (void)0
#endif

static void case_put(void)
{
    long *v = shmem_malloc(4 * sizeof *v);
    long from[4] = {0};
    if (me == 0)
        shmem_ctx_long_put(ctx, v, from, 4, 1); /* put a */
    CTX_QUIET;
    shmem_free(v); /* put b */
}

/* What is got goes to the block. */
static void case_get_target(void)
{
    static int from[8];
    int *v = shmem_malloc(sizeof from);
    if (me == 0)
        shmem_ctx_int_get_nbi(ctx, v, from, 8, 1); /* get_target a */
    CTX_QUIET;
    shmem_free(v); /* get_target b */
}

/* What is put comes from the block. */
static void case_put_source(void)
{
    static int to[8];
    int *v = shmem_calloc(8, sizeof *v);
    if (me == 0)
        shmem_ctx_int_put_nbi(ctx, to, v, 8, 1); /* put_source a */
    CTX_QUIET;
    shmem_free(v); /* put_source b */
}

static void case_atomic(void)
{
    long *v = shmem_calloc(1, sizeof *v);
    if (me == 0)
        shmem_ctx_long_atomic_inc(ctx, v, 1); /* atomic a */
    CTX_QUIET;
    shmem_free(v); /* atomic b */
}

/* The block moves as it grows. */
static void case_realloc(void)
{
    double *v = shmem_malloc(4 * sizeof *v);
    if (me == 0)
        shmem_ctx_double_p(ctx, &v[1], 1, 1); /* realloc a */
    CTX_QUIET;
    v = shmem_realloc(v, 10000 * sizeof *v); /* realloc b */
    shmem_free(v);
}

/* What is got comes from the block of another PE. */
static void case_get_source(void)
{
    static char to[32];
    char *v = shmem_align(64, sizeof to);
    if (me == 0)
        shmem_ctx_getmem_nbi(ctx, to, v, sizeof to, 1); /* get_source a */
    CTX_QUIET;
    shmem_free(v); /* get_source b */
}

static void run_one(void (*a_case)(void))
{
    run(a_case);
    shmem_ctx_quiet(ctx);
}

int main(void)
{
    start();
    if (shmem_ctx_create(0, &ctx))
        shmem_global_exit(3);
    run_one(case_put);
    run_one(case_get_target);
    run_one(case_put_source);
    run_one(case_atomic);
    run_one(case_realloc);
    run_one(case_get_source);
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
