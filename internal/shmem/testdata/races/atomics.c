/* PEs: 2. Atomic operations are atomic to each other only, and only to those of their type. */
#include "cases.h"

static void case_add_and_put(void)
{
    static long v;
    if (me == 0)
        shmem_long_atomic_add(&v, 1, 1); /* add_and_put a */
    BARRIER;
    if (me == 1)
        shmem_long_p(&v, 0, 1); /* add_and_put b */
}

static void case_inc_and_get(void)
{
    static int v;
    if (me == 0)
        shmem_int_atomic_inc(&v, 1); /* inc_and_get a */
    BARRIER;
    if (me == 1)
        (void)shmem_int_g(&v, 1); /* inc_and_get b */
}

static void case_fetch_and_put(void)
{
    static double v;
    if (me == 0)
        (void)shmem_double_atomic_fetch(&v, 1); /* fetch_and_put a */
    BARRIER;
    if (me == 1)
        shmem_double_p(&v, 1.0, 1); /* fetch_and_put b */
}

/* Half of a word, and a number of the same size of another kind. */
static void case_int_and_long(void)
{
    static long v[2];
    if (me == 0)
        shmem_long_atomic_add(v, 1, 1); /* int_and_long a */
    if (me == 1)
        shmem_int_atomic_add((int *)v + OR(1, 2), 1, 1); /* int_and_long b */
}

static void case_long_and_double(void)
{
    static union {
        long l;
        double d;
    } v;
    if (me == 0)
        (void)shmem_long_atomic_fetch(&v.l, 1); /* long_and_double a */
    BARRIER;
    if (me == 1)
        shmem_double_atomic_set(&v.d, 1.0, 1); /* long_and_double b */
}

/* One byte of the word. */
static void case_swap_and_byte(void)
{
    static long v[2];
    char x = 1;
    if (me == 0)
        (void)shmem_long_atomic_swap(&v[0], 5, 1); /* swap_and_byte a */
    if (me == 1)
        shmem_putmem((char *)v + OR(7, 8), &x, 1, 1); /* swap_and_byte b */
}

static void case_cswap_and_iput(void)
{
    static long v[16];
    long from[4] = {0};
    if (me == 0)
        (void)shmem_long_atomic_compare_swap(&v[8], 0, 1, 1); /* cswap_and_iput a */
    if (me == 1)
        shmem_long_iput(v + OR(0, 1), from, 4, 1, 4, 1); /* cswap_and_iput b */
}

/* An operation that gives no value is complete only after shmem_quiet. */
static void case_read_back(void)
{
    static long v;
    if (me == 0) {
        shmem_long_atomic_add(&v, 1, 1); /* read_back a */
        QUIET;
        (void)shmem_long_g(&v, 1); /* read_back b */
    }
}

/* The put may come after the operation. */
static void case_put_and_inc(void)
{
    static long v;
    if (me == 0) {
        shmem_long_p(&v, 10, 1); /* put_and_inc a */
        FENCE;
        shmem_long_atomic_inc(&v, 1); /* put_and_inc b */
    }
}

static void case_get_target(void)
{
    static unsigned long v, from;
    if (me == 0)
        shmem_ulong_get(&v, &from, 1, 0); /* get_target a */
    BARRIER;
    if (me == 1)
        shmem_ulong_atomic_xor(&v, 1, 0); /* get_target b */
}

/* The source of a sum is still being counted. */
static void case_sum(void)
{
    static long source, target;
    PSYNC(sync);
    PWRK(work);
    if (me == 1)
        shmem_long_atomic_inc(&source, 0); /* sum a */
    BARRIER;
    shmem_long_sum_to_all(&target, &source, 1, 0, 0, n, work, sync); /* sum b */
}

/* Flags in a word, one set by a put. */
static void case_or_and_put(void)
{
    static uint64_t v;
    if (me == 0)
        shmem_uint64_atomic_or(&v, 4, 0); /* or_and_put a */
    BARRIER;
    if (me == 1)
        shmem_uint64_p(&v, 1, 0); /* or_and_put b */
}

int main(void)
{
    start();
    run(case_add_and_put);
    run(case_inc_and_get);
    run(case_fetch_and_put);
    run(case_int_and_long);
    run(case_long_and_double);
    run(case_swap_and_byte);
    run(case_cswap_and_iput);
    run(case_read_back);
    run(case_put_and_inc);
    run(case_get_target);
    run(case_sum);
    run(case_or_and_put);
    shmem_finalize();
    return 0;
}
