/* PEs: 4. Stores and loads of the program's own, and what other PEs get, change atomically or move in collectives. */
#include "../races/cases.h"

static volatile long sink;

/* What another PE gets is stored at the same time. */
static void case_get(void)
{
    static long v;
    long to = 0;
    if (me == 1)
        v = 9; /* get b */
    BARRIER;
    if (me == 0)
        shmem_long_get(&to, &v, 1, 1); /* get a */
    sink += to;
}

/* A loop fills what is got. */
static void case_fill(void)
{
    static int v[300];
    int to[300];
    for (int i = 0; i < 300; i++)
        v[i] = me + i; /* get_fill b */
    BARRIER;
    shmem_int_get(to, v, 300, (me + 1) % n); /* get_fill a */
    sink += to[17];
}

/* shmem_g of one element of a block that is stored as a whole. */
static void case_g(void)
{
    double *v = shmem_malloc(40 * sizeof *v);
    if (me == 2)
        for (int i = 0; i < 40; i++)
            v[i] = i; /* g b */
    BARRIER;
    if (me == 3)
        sink += shmem_double_g(&v[21], 2) > 1; /* g a */
    shmem_free(v);
}

/* A get with a stride, and a structure that is stored between. */
static void case_iget(void)
{
    static struct { int a, b; } v[16];
    int to[16];
    if (me == 0)
        shmem_int_iget(to, OR(&v[0].b, &v[0].a), 1, 2, 16, 1); /* iget a */
    if (me == 1)
        for (int i = 0; i < 16; i++)
            v[i].b = i; /* iget b */
}

/* Loads do not conflict with gets: only the store does. */
static void case_loads(void)
{
    static long v[4];
    long to[4];
    if (me == 0)
        shmem_long_get(to, v, 4, 1); /* loads a */
    if (me == 1) {
        sink += v[0] + v[1] + v[2];
        if (OR(1, 0))
            v[2] = 1; /* loads b */
    }
    BARRIER;
}

/* An atomic counter is loaded. */
static void case_counter(void)
{
    static int v;
    if (me != 1)
        shmem_int_atomic_inc(&v, 1); /* counter a */
    BARRIER;
    if (me == 1)
        sink += v; /* counter b */
}

/* It is set back by a store. */
static void case_reset(void)
{
    static long v;
    if (me == 0)
        sink += shmem_long_atomic_fetch_add(&v, 2, 1); /* reset a */
    BARRIER;
    if (me == 1)
        v = 0; /* reset b */
}

/* An atomic fetch, and a store. */
static void case_fetch(void)
{
    static unsigned v;
    if (me == 0)
        sink += shmem_uint_atomic_fetch(&v, 1); /* fetch a */
    BARRIER;
    if (me == 1)
        v = 4; /* fetch b */
}

/* The root of a broadcast may write before the target has been stored to. */
static void case_broadcast(void)
{
    static long to[8], from[8];
    PSYNC(sync);
    if (me == 2)
        to[3] = 1; /* broadcast b */
    BARRIER;
    shmem_broadcast64(to, from, 8, 0, 0, 0, n, sync); /* broadcast a */
}

int main(void)
{
    start();
    run(case_get);
    run(case_fill);
    run(case_g);
    run(case_iget);
    run(case_loads);
    run(case_counter);
    run(case_reset);
    run(case_fetch);
    run(case_broadcast);
    shmem_finalize();
    return 0;
}
