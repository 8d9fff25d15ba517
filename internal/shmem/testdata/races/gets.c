/* PEs: 3. Gets of what is written at the same time. */
#include "cases.h"

/* One reads what its owner writes. */
static void case_owner_writes(void)
{
    static long v;
    if (me == 0)
        (void)shmem_long_g(&v, 1); /* owner_writes a */
    BARRIER;
    if (me == 1)
        shmem_long_p(&v, 1, 1); /* owner_writes b */
}

/* What one gets goes where another one puts. */
static void case_target(void)
{
    static float to[4], from[4];
    if (me == 0)
        shmem_float_get(to, from, 4, 1); /* target a */
    BARRIER;
    if (me == 1)
        shmem_float_p(&to[3], 1.0f, 0); /* target b */
}

/* What one gets goes where another one reads. */
static void case_target_read(void)
{
    static long to[4], from[4];
    long mine[4];
    if (me == 0)
        shmem_long_get(to, from, 4, 1); /* target_read a */
    BARRIER;
    if (me == 1)
        shmem_long_get(mine, to, 4, 0); /* target_read b */
}

/* All shift an array by one PE, in place. */
static void case_shift(void)
{
    static int v[4], w[4];
    (void)w;
    shmem_int_get(OR(v, w), v, 4, (me + 1) % n); /* shift ab */
}

/* The last element that is read is written. */
static void case_ranges(void)
{
    static long v[16];
    long to[10];
    if (me == 0)
        shmem_long_get(to, v, OR(10, 9), 1); /* ranges a */
    if (me == 1)
        shmem_long_p(&v[9], 1, 1); /* ranges b */
}

/* Five bytes, where four are there to be read. */
static void case_bytes(void)
{
    static char v[8];
    char to[5], x = 'x';
    if (me == 0)
        shmem_getmem(to, v, OR(5, 4), 1); /* bytes a */
    if (me == 1)
        shmem_char_put(v + 4, &x, 1, 1); /* bytes b */
}

/* The next step writes what others may still read in this one. */
static void case_next_step(void)
{
    static int v[4];
    int mine[4] = {0};
    for (int i = 0; i < 2; i++) {
        if (me == 1)
            shmem_int_put(v, mine, 4, 1); /* next_step a */
        shmem_barrier_all();
        if (me == 0)
            shmem_int_get(mine, v, 4, 1); /* next_step b */
        BARRIER;
    }
}

/* A third one writes what two read. */
static void case_readers(void)
{
    static unsigned long v;
    if (me == 0)
        shmem_ulong_p(&v, 1, 0); /* readers a */
    BARRIER;
    if (me > 0)
        (void)shmem_ulong_g(&v, 0); /* readers b */
}

int main(void)
{
    start();
    run(case_owner_writes);
    run(case_target);
    run(case_target_read);
    run(case_shift);
    run(case_ranges);
    run(case_bytes);
    run(case_next_step);
    run(case_readers);
    shmem_finalize();
    return 0;
}
