/* PEs: 3. Puts that nothing orders. */
#include "cases.h"

/* Two PEs put to the same variable. */
static void case_two_puts(void)
{
    static long v;
    if (me == 0)
        shmem_long_p(&v, 1, 1); /* two_puts a */
    BARRIER;
    if (me == 1)
        shmem_long_p(&v, 2, 1); /* two_puts b */
}

/* All put their number to PE 0, to one place. */
static void case_all_put(void)
{
    static int v[8];
    int mine = me;
    shmem_int_put(&v[OR(0, me)], &mine, 1, 0); /* all_put ab */
}

/* One puts, the owner reads. */
static void case_put_get(void)
{
    static double v;
    if (me == 0)
        shmem_double_p(&v, 0.5, 1); /* put_get a */
    BARRIER;
    if (me == 1)
        (void)shmem_double_g(&v, 1); /* put_get b */
}

/* One PE puts twice to the same place. Puts may overtake each other. */
static void case_own_puts(void)
{
    static long v;
    if (me == 0) {
        shmem_long_p(&v, 1, 1); /* own_puts a */
        FENCE;
        shmem_long_p(&v, 2, 1); /* own_puts b */
    }
}

/* A PE reads back what it has put. */
static void case_read_back(void)
{
    static short v[4];
    short from[4] = {1, 2, 3, 4}, to[4];
    if (me == 0) {
        shmem_short_put(v, from, 4, 1); /* read_back a */
        QUIET;
        shmem_short_get(to, v, 4, 1); /* read_back b */
    }
}

/* Parts of an array that have two elements in common. */
static void case_ranges(void)
{
    static int v[16];
    int from[8] = {0};
    if (me == 0)
        shmem_int_put(v, from, 8, 0); /* ranges a */
    if (me == 1)
        shmem_int_put(v + OR(6, 8), from, 8, 0); /* ranges b */
}

/* What a put sends is overwritten by another PE. */
static void case_source(void)
{
    static long from[4], to[4];
    if (me == 0)
        shmem_putmem(to, from, sizeof from, 0); /* source a */
    BARRIER;
    if (me == 1)
        shmem_long_p(&from[2], 9, 0); /* source b */
}

/* Three bytes and a word that begins with the last of them. */
static void case_bytes(void)
{
    static char v[16];
    char from[4] = {1, 2, 3, 4};
    if (me == 0)
        shmem_putmem(v + 2, from, 3, 1); /* bytes a */
    if (me == 1)
        shmem_put32(v + OR(4, 8), from, 1, 1); /* bytes b */
}

/* Each PE sends the border of its part to the next one, step by step. */
static void case_steps(void)
{
    static double border[4];
    double mine[4] = {0};
    for (int i = 0; i < 2; i++) {
        shmem_double_put(border, mine, 4, (me + 1) % n); /* steps ab */
        BARRIER;
    }
}

/* The last PE sends to all, the first one, too, to itself. */
static void case_long_double(void)
{
    static long double v;
    if (me == n - 1)
        for (int p = 0; p < n; p++)
            shmem_longdouble_p(&v, 1.5L, p); /* long_double a */
    BARRIER;
    if (me == 0)
        shmem_longdouble_p(&v, 2.5L, 0); /* long_double b */
}

int main(void)
{
    start();
    run(case_two_puts);
    run(case_all_put);
    run(case_put_get);
    run(case_own_puts);
    run(case_read_back);
    run(case_ranges);
    run(case_source);
    run(case_bytes);
    run(case_steps);
    run(case_long_double);
    shmem_finalize();
    return 0;
}
