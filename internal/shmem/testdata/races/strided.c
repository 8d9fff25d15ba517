/* PEs: 3. Elements at a stride, and elements of a size that the function's name has. */
#include "cases.h"

/* Every second element and every third one. */
static void case_two_iputs(void)
{
    static long v[32];
    long from[8] = {0};
    if (me == 0)
        shmem_long_iput(v, from, 2, 1, 8, 1); /* two_iputs a */
    if (me == 1)
        shmem_long_iput(v + 1, from, OR(3, 2), 1, 4, 1); /* two_iputs b */
}

/* A column and a row of a matrix cross. */
static void case_row_and_column(void)
{
    static double m[6][6];
    double from[6] = {0};
    if (me == 0)
        shmem_double_iput(&m[0][2], from, 6, 1, 6, 0); /* row_and_column a */
    BARRIER;
    if (me == 1)
        shmem_double_put(&m[3][0], from, 6, 0); /* row_and_column b */
}

/* Every fourth element is read, and one of them is written. */
static void case_iget(void)
{
    static int v[32];
    int to[8];
    if (me == 0)
        shmem_int_iget(to, v, 1, 4, 8, 1); /* iget a */
    if (me == 1)
        shmem_int_p(&v[OR(8, 9)], 1, 1); /* iget b */
}

/* Half of a word of 64 bits is one of 32. */
static void case_halves(void)
{
    static uint64_t v[8];
    uint32_t from[8] = {0};
    uint64_t word = 1;
    if (me == 0)
        shmem_iput32((uint32_t *)v + 1, from, 2, 1, OR(4, 3), 1); /* halves a */
    if (me == 1)
        shmem_put64(&v[3], &word, 1, 1); /* halves b */
}

/* What is read is stored at a stride, where another PE puts. */
static void case_iget_target(void)
{
    static long to[16], from[8];
    if (me == 0)
        shmem_long_iget(to, from, 2, 1, 8, 1); /* iget_target a */
    if (me == 1)
        shmem_long_p(&to[OR(4, 5)], 1, 0); /* iget_target b */
}

/* Two elements of 16 bytes, and one byte. */
static void case_put128(void)
{
    static _Alignas(16) char v[64];
    _Alignas(16) char from[32] = {0};
    if (me == 0)
        shmem_put128(v, from, 2, 0); /* put128 a */
    if (me == 1)
        shmem_put8(v + OR(31, 32), from, 1, 0); /* put128 b */
}

/* Each PE fills a column of its own at all PEs, but two have the same one. */
static void case_columns(void)
{
    static int m[4][4];
    int from[4] = {me, me, me, me};
    for (int p = 0; p < n; p++)
        shmem_int_iput(&m[0][OR(me / 2, me)], from, 4, 1, 4, p); /* columns ab */
}

/* Every third element is sent, and one of them is overwritten. */
static void case_iput_source(void)
{
    static short to[8], from[24];
    if (me == 0)
        shmem_short_iput(to, from, 1, 3, 8, 0); /* iput_source a */
    if (me == 1)
        shmem_short_p(&from[OR(3, 4)], 1, 0); /* iput_source b */
}

/* Words of two bytes that are read, and of one byte that are written. */
static void case_iget16(void)
{
    static uint8_t v[32];
    uint16_t to[8];
    uint8_t from[8] = {0};
    if (me == 0)
        shmem_iget16(to, v, 1, 2, 8, 1); /* iget16 a */
    if (me == 1)
        shmem_iput8(v + OR(1, 2), from, 4, 1, 7, 1); /* iget16 b */
}

int main(void)
{
    start();
    run(case_two_iputs);
    run(case_row_and_column);
    run(case_iget);
    run(case_halves);
    run(case_iget_target);
    run(case_put128);
    run(case_columns);
    run(case_iput_source);
    run(case_iget16);
    shmem_finalize();
    return 0;
}
