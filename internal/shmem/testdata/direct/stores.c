/* PEs: 4. Loads and stores of another PE's memory, and what that one does itself, or others by calls. */
#include "cases.h"

static volatile long sink;

/* A scalar is stored while its owner loads it. */
static void case_store(void)
{
    long *v = ZEROED(1, sizeof *v);
    if (me == 0)
        *AT(v, 1) = 7; /* store a */
    BARRIER;
    if (me == 1)
        sink += *v; /* store b */
    shmem_free(v);
}

/* A scalar is loaded while its owner stores it. */
static void case_load(void)
{
    int *v = ZEROED(4, sizeof *v);
    if (me == 2)
        sink += AT(v, 3)[1]; /* load a */
    BARRIER;
    if (me == 3)
        v[1] = 5; /* load b */
    shmem_free(v);
}

/* A loop fills what its owner sums up: both can be made of vectors. */
static void case_loop(void)
{
    double *v = ZEROED(512, sizeof *v), s = 0;
    double *there = AT(v, (me + 1) % n);
    for (int i = 0; i < 512 && me == 1; i++)
        there[i] = i; /* loop a */
    BARRIER;
    for (int i = 0; i < 512 && me == 2; i++)
        s += v[i]; /* loop b */
    sink += s > 0;
    shmem_free(v);
}

/* memcpy to the middle of a block, and from it. */
static void case_memcpy(void)
{
    char *v = ZEROED(4096, 1), mine[64] = {1};
    volatile size_t many = sizeof mine;
    if (me == 3)
        memcpy(AT(v, 2) + 1000, mine, many); /* memcpy a */
    BARRIER;
    if (me == 2) {
        memcpy(mine, v + 1060, many); /* memcpy b */
        sink += mine[0];
    }
    shmem_free(v);
}

static __attribute__((noinline)) void fill(float *v, int count)
{
    for (int i = 0; i < count; i++)
        v[i] = (float)i; /* callee a */
}

/* A function that knows nothing of PEs stores, and another PE gets. */
static void case_callee(void)
{
    float *v = ZEROED(256, sizeof *v), to[256];
    if (me == 0)
        fill(AT(v, 3), 256);
    BARRIER;
    if (me == 1)
        shmem_float_get(to, v, 256, 3); /* callee b */
    shmem_free(v);
}

/* A structure is copied while a third PE puts it. */
static void case_copy(void)
{
    struct cell { long a[6]; } *v = ZEROED(1, sizeof *v), mine = {{0}};
    if (me == 0) {
        mine = *AT(v, 1); /* copy a */
        sink += mine.a[0] + mine.a[5];
    }
    BARRIER;
    if (me == 2)
        shmem_putmem(v, &mine, sizeof mine, 1); /* copy b */
    shmem_free(v);
}

/* A counter that others change atomically is loaded. */
static void case_counter(void)
{
    int *v = ZEROED(1, sizeof *v);
    if (me == 2)
        shmem_int_atomic_inc(v, 1); /* counter a */
    BARRIER;
    if (me == 3)
        sink += *AT(v, 1); /* counter b */
    shmem_free(v);
}

/* Two PEs store to a third one's memory. */
static void case_two(void)
{
    short *v = ZEROED(8, sizeof *v);
    if (me == 0)
        AT(v, 1)[6] = 1; /* two a */
    BARRIER;
    if (me == 2)
        AT(v, 1)[6] = 2; /* two b */
    shmem_free(v);
}

/* What the PE has put is loaded before it has come. */
static void case_quiet(void)
{
    long *v = ZEROED(4, sizeof *v), mine[4] = {1, 2, 3, 4};
    if (me == 0) {
        shmem_long_put(v, mine, 4, 1); /* quiet a */
        QUIET;
        sink += AT(v, 1)[2]; /* quiet b */
    }
    shmem_free(v);
}

/* One member of each structure is stored, and the owner loads all. */
static void case_member(void)
{
    struct { int a, b, c; } *v = ZEROED(40, sizeof *v);
    long s = 0;
    if (me == 1)
        for (int i = 0; i < 40; i++)
            AT(v, 0)[i].b = i; /* member a */
    if (me == 0)
        for (int i = 0; i < 40; i++)
            s += v[i].a + OR(v[i].b, v[i].c); /* member b */
    sink += s;
    shmem_free(v);
}

/* Only the PE that stores takes the lock. */
static void case_lock(void)
{
    static long lock;
    long *v = ZEROED(1, sizeof *v);
    if (me == 0) {
        shmem_set_lock(&lock);
        *AT(v, 1) += 2; /* lock a */
        shmem_clear_lock(&lock);
    }
    BARRIER;
    if (me == 1)
        *v = 1; /* lock b */
    shmem_free(v);
}

/* The next step's store may come while this step's value is still used. */
static void case_steps(void)
{
    long *v = ZEROED(1, sizeof *v);
    for (int i = 0; i < 2; i++) {
        if (me == 0)
            *AT(v, 1) = i; /* steps a */
        shmem_barrier_all();
        if (me == 1)
            sink += *v; /* steps b */
        BARRIER;
    }
    shmem_free(v);
}

/* shmem_sync_all does not complete the put of another PE. */
static void case_sync(void)
{
    long *v = ZEROED(8, sizeof *v), mine[8] = {1};
    if (me == 2)
        shmem_long_put(v, mine, 8, 1); /* sync a */
    QUIET;
    shmem_sync_all();
    if (me == 0)
        sink += AT(v, 1)[7]; /* sync b */
    shmem_free(v);
}

/* A PE that waits for one flag knows nothing of the PE that has set none. */
static void case_other(void)
{
    static long flag;
    long *v = ZEROED(1, sizeof *v);
    if (me == 0)
        *AT(v, 1) = 3; /* other a */
    BARRIER;
    if (me == 2)
        shmem_long_p(&flag, 1, 1);
    if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        sink += *v; /* other b */
    }
    shmem_free(v);
}

/* The owner sets its memory to zeros. */
static void case_memset(void)
{
    char *v = ZEROED(100, 1);
    volatile size_t many = 100;
    if (me == 0)
        sink += AT(v, 1)[99]; /* memset a */
    BARRIER;
    if (me == 1)
        memset(v, 1, many); /* memset b */
    shmem_free(v);
}

int main(void)
{
    start();
    run(case_store);
    run(case_load);
    run(case_loop);
    run(case_memcpy);
    run(case_callee);
    run(case_copy);
    run(case_counter);
    run(case_two);
    run(case_quiet);
    run(case_member);
    run(case_lock);
    run(case_steps);
    run(case_sync);
    run(case_other);
    run(case_memset);
    shmem_finalize();
    return 0;
}
