/* PEs: 4. Loads and stores of the program's own, and what another PE puts there. */
#include "../races/cases.h"

static volatile long sink;

/* A scalar is loaded before the barrier. */
static void case_load(void)
{
    static long v;
    if (me == 0)
        shmem_long_p(&v, 7, 1); /* load a */
    BARRIER;
    if (me == 1)
        sink += v; /* load b */
}

/* It is stored. */
static void case_store(void)
{
    static int v;
    if (me == 0)
        shmem_int_p(&v, 7, 1); /* store a */
    BARRIER;
    if (me == 1)
        v = 3; /* store b */
}

/* A loop over an array that another PE fills: it can be made of vectors. */
static void case_sum(void)
{
    static double v[512], from[512];
    if (me == 2)
        shmem_double_put(v, from, 512, 1); /* sum a */
    BARRIER;
    double s = 0;
    for (int i = 0; i < 512 && me == 1; i++)
        s += v[i]; /* sum b */
    sink += s > 0;
}

static void fill(float *v, int count)
{
    for (int i = 0; i < count; i++)
        v[i] = (float)i; /* fill b */
}

/* The same, stored by a function, in the heap. */
static void case_fill(void)
{
    float *v = shmem_malloc(256 * sizeof *v), from[256] = {0};
    if (me == 0)
        shmem_float_put(v, from, 256, 3); /* fill a */
    BARRIER;
    if (me == 3)
        fill(v, 256);
    shmem_free(v);
}

/* A structure is copied. */
static void case_copy(void)
{
    static struct cell { long a[6]; } v, from;
    if (me == 0)
        shmem_putmem(&v, &from, sizeof v, 1); /* copy a */
    BARRIER;
    if (me == 1) {
        struct cell mine = v; /* copy b */
        sink += mine.a[0] + mine.a[5];
    }
}

/* memcpy from the middle of a block. */
static void case_memcpy(void)
{
    char *v = shmem_malloc(4096), from[64] = {1}, to[64];
    volatile size_t many = sizeof to;
    if (me == 3)
        shmem_putmem(v + 1000, from, 64, 2); /* memcpy a */
    BARRIER;
    if (me == 2) {
        memcpy(to, v + 1060, many); /* memcpy b */
        sink += to[0];
    }
    shmem_free(v);
}

/* memset of what is put. */
static void case_memset(void)
{
    static char v[100], from[100];
    volatile size_t many = sizeof v;
    if (me == 0)
        shmem_putmem(v, from, 100, 1); /* memset a */
    BARRIER;
    if (me == 1)
        memset(v, 0, many); /* memset b */
}

/* Every third element is put, and every element loaded. */
static void case_iput(void)
{
    static int v[60], from[20];
    if (me == 0)
        shmem_int_iput(v, from, 3, 1, 20, 1); /* iput a */
    BARRIER;
    long s = 0;
    for (int i = 0; i < 60 && me == 1; i++)
        s += v[OR(i, i / 3 * 3)]; /* iput b */
    sink += s;
}

/* The border is put, and a sum takes in an element of it; without that there is no race. */
static void case_border(void)
{
    static long v[32];
    long from[2] = {1, 2};
    if (me == 0)
        shmem_long_put(v, from, 2, 1); /* border a */
    long s = 0;
    for (int i = OR(1, 2); i < 32 && me == 1; i++)
        s += v[i]; /* border b */
    sink += s;
}

/* A flag that is put without a fence, and what it announces. */
static void case_fence(void)
{
    static long data, flag;
    if (me == 0) {
        shmem_long_p(&data, 5, 1); /* fence a */
        FENCE;
        shmem_long_p(&flag, 1, 1);
    }
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        sink += data; /* fence b */
    }
}

/* The next step's put may come while this step's value is still used. */
static void case_steps(void)
{
    static long v;
    for (int i = 0; i < 2; i++) {
        if (me == 0)
            shmem_long_p(&v, i, 1); /* steps a */
        shmem_barrier_all();
        if (me == 1)
            sink += v; /* steps b */
        BARRIER;
    }
}

/* Only the PE that puts takes the lock. */
static void case_lock(void)
{
    static long lock, v;
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_p(&v, 2, 1); /* lock a */
        shmem_clear_lock(&lock);
    }
    BARRIER;
    if (me == 1)
        v++; /* lock b */
}

/* shmem_sync_all completes nothing. */
static void case_sync(void)
{
    static short v[8], from[8];
    if (me == 0)
        shmem_short_put(v, from, 8, 1); /* sync a */
    QUIET;
    shmem_sync_all();
    if (me == 1)
        sink += v[3]; /* sync b */
}

int main(void)
{
    start();
    run(case_load);
    run(case_store);
    run(case_sum);
    run(case_fill);
    run(case_copy);
    run(case_memcpy);
    run(case_memset);
    run(case_iput);
    run(case_border);
    run(case_fence);
    run(case_steps);
    run(case_lock);
    run(case_sync);
    shmem_finalize();
    return 0;
}
