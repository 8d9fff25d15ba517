/* PEs: 2. Transfers that are not complete before the next shmem_quiet. */
#include "cases.h"

/* The source of a put is overwritten before it is complete. */
static void case_put_source(void)
{
    static long to[4], from[4], other[4];
    if (me == 0) {
        shmem_long_put_nbi(to, from, 4, 1); /* put_source a */
        QUIET;
        shmem_long_get(from, other, 4, 1); /* put_source b */
    }
}

/* What a get brings is sent on before it is there. */
static void case_get_target(void)
{
    static long to[4], from[4], on[4];
    if (me == 0) {
        shmem_long_get_nbi(to, from, 4, 1); /* get_target a */
        QUIET;
        shmem_long_put(on, to, 4, 1); /* get_target b */
    }
}

/* What a get is to read is overwritten by the same PE. */
static void case_get_put(void)
{
    static double v[4];
    double to[4] = {0}, from[4] = {1};
    if (me == 0) {
        shmem_double_get_nbi(to, v, 4, 1); /* get_put a */
        QUIET;
        shmem_double_put(v, from, 4, 1); /* get_put b */
        shmem_quiet();
    }
}

/* shmem_sync_all completes nothing. */
static void case_sync_all(void)
{
    static int v[4], from[4];
    int to[4];
    if (me == 0)
        shmem_int_put_nbi(v, from, 4, 1); /* sync_all a */
    QUIET;
    shmem_sync_all();
    if (me == 1)
        shmem_int_get(to, v, 4, 1); /* sync_all b */
}

/* Two puts to one place. */
static void case_two_puts(void)
{
    static long v, first, second;
    if (me == 0) {
        shmem_long_put_nbi(&v, &first, 1, 1); /* two_puts a */
        QUIET;
        shmem_long_put_nbi(&v, &second, 1, 1); /* two_puts b */
    }
}

/* Another PE puts where a get is to store. */
static void case_other_target(void)
{
    static char to[16], from[16];
    if (me == 0)
        shmem_getmem_nbi(to, from, 16, 1); /* other_target a */
    BARRIER;
    if (me == 1)
        shmem_char_p(&to[7], 'x', 0); /* other_target b */
}

/* One buffer, where two are needed, and a wait for the older one. */
static void case_buffers(void)
{
    static long to[3][4], buffer[2][4], from[3][4];
    for (int i = 0; i < 3 && me == 0; i++) {
        if (i > 1)
            QUIET;
        shmem_long_get(buffer[OR(0, i % 2)], from[i], 4, 1); /* buffers a */
        shmem_long_put_nbi(to[i], buffer[OR(0, i % 2)], 4, 1); /* buffers b */
    }
}

/* Two gets into one place. */
static void case_two_gets(void)
{
    static float to[4], from[8];
    if (me == 0) {
        shmem_float_get_nbi(to, from, 4, 1); /* two_gets a */
        QUIET;
        shmem_float_get_nbi(to, from + 4, 4, 1); /* two_gets b */
    }
}

/* The end of the block of 64-bit words that is sent, and a byte. */
static void case_sizes(void)
{
    static uint64_t v[8], from[8];
    if (me == 0)
        shmem_put64_nbi(v, from, 4, 1); /* sizes a */
    if (me == 1)
        shmem_uint8_p((uint8_t *)v + OR(31, 32), 1, 1); /* sizes b */
}

int main(void)
{
    start();
    run(case_put_source);
    run(case_get_target);
    run(case_get_put);
    run(case_sync_all);
    run(case_two_puts);
    run(case_other_target);
    run(case_buffers);
    run(case_two_gets);
    run(case_sizes);
    shmem_finalize();
    return 0;
}
