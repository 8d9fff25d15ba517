/* PEs: 4. Memory that a non-blocking call of the PE still uses. */
#include "../races/cases.h"
#include <stdlib.h>

static volatile long sink;

/* A variable on the stack that is sent is changed. */
static void case_source(void)
{
    static long to;
    long from = 1;
    if (me == 0) {
        shmem_long_put_nbi(&to, &from, 1, 1); /* source a */
        QUIET;
        from = 2; /* source b */
    }
    sink += from;
}

/* A symmetric one. */
static void case_symmetric(void)
{
    static int to[4], from[4];
    if (me == 1) {
        shmem_int_put_nbi(to, from, 4, 2); /* symmetric a */
        QUIET;
        from[3]++; /* symmetric b */
    }
}

/* A loop fills the buffer of malloc for the next step. */
static void case_buffer(void)
{
    static double to[100];
    double *from = malloc(100 * sizeof *from);
    for (int step = 0; step < 2; step++) {
        if (step > 0)
            QUIET;
        for (int i = 0; i < 100; i++)
            from[i] = i + step; /* buffer b */
        shmem_double_put_nbi(to, from, 100, (me + 1) % n); /* buffer a */
        FENCE;
        shmem_fence();
    }
    shmem_quiet();
    free(from);
}

/* What is got is loaded before it is there. */
static void case_target(void)
{
    static long from[10];
    long to[10] = {0};
    if (me == 0) {
        shmem_long_get_nbi(to, from, 10, 1); /* target a */
        QUIET;
        sink += to[9]; /* target b */
        shmem_quiet();
    }
}

static void use(const float *v)
{
    float s = 0;
    for (int i = 0; i < 50; i++)
        s += v[i]; /* target_loop b */
    sink += s > 0;
}

/* The same in the heap, by a function. */
static void case_target_loop(void)
{
    static float from[50];
    float *to = shmem_malloc(50 * sizeof *to);
    if (me == 3) {
        shmem_float_get_nbi(to, from, 50, 0); /* target_loop a */
        QUIET;
        use(to);
    }
    shmem_free(to);
}

/* Where a get is to store, the program stores. */
static void case_target_store(void)
{
    static short from[8];
    short to[8];
    if (me == 2) {
        shmem_getmem_nbi(to, from, sizeof to, 1); /* target_store a */
        QUIET;
        to[OR(7, 0)] = 5; /* target_store b */
        shmem_quiet();
        sink += to[7];
    }
}

/* The other half of the buffer is the program's; the quiet of another context says nothing of this one. */
static void case_context(void)
{
    static int to[8];
    int from[8] = {0};
    shmem_ctx_t one, other;
    if (shmem_ctx_create(0, &one) || shmem_ctx_create(0, &other))
        return;
    if (me == 0) {
        shmem_ctx_int_put_nbi(one, to, from, 4, 1); /* context a */
        from[4] = 1;
        shmem_ctx_quiet(OR(other, one));
        from[0] = 1; /* context b */
    }
    shmem_ctx_quiet(one);
    sink += from[0];
    shmem_ctx_destroy(one);
    shmem_ctx_destroy(other);
}

/* memcpy into what is sent. */
static void case_copied(void)
{
    static char to[64];
    static char from[64], next[64];
    volatile size_t many = 64;
    if (me == 1) {
        shmem_putmem_nbi(to, from, 64, 0); /* copied a */
        QUIET;
        memcpy(from, next, many); /* copied b */
    }
}

/* A PE loads what it has put into its own memory. */
static void case_self(void)
{
    static long v;
    if (me == 0) {
        shmem_long_p(&v, 3, 0); /* self a */
        QUIET;
        sink += v; /* self b */
    }
}

int main(void)
{
    start();
    run(case_source);
    run(case_symmetric);
    run(case_buffer);
    run(case_target);
    run(case_target_loop);
    run(case_target_store);
    run(case_context);
    run(case_copied);
    run(case_self);
    shmem_finalize();
    return 0;
}
