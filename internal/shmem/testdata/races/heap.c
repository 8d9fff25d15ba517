/* PEs: 3. Blocks of the symmetric heap and variables of all kinds. */
#include "cases.h"

struct body {
    double mass;
    float at[3];
    int kind;
};

long shared_by_all;
static struct body bodies[4];
static int board[3][8];

static void case_malloc(void)
{
    long *v = shmem_malloc(8 * sizeof *v);
    long from[8] = {0};
    if (me == 0)
        shmem_long_put(v, from, 5, 1); /* malloc a */
    if (me == 1)
        shmem_long_put(v + OR(4, 5), from, 3, 1); /* malloc b */
    shmem_free(v);
}

static void case_align(void)
{
    double *v = shmem_align(256, 4 * sizeof *v);
    if (me == 0)
        shmem_double_p(&v[3], 1, 1); /* align a */
    BARRIER;
    if (me == 1)
        (void)shmem_double_g(&v[3], 1); /* align b */
    shmem_free(v);
}

static void case_calloc(void)
{
    int *v = shmem_calloc(16, sizeof *v);
    if (me == 0)
        shmem_int_atomic_inc(&v[15], 1); /* calloc a */
    BARRIER;
    if (me == 1)
        shmem_int_p(&v[15], 1, 1); /* calloc b */
    shmem_free(v);
}

/* The block that is there after it has grown. */
static void case_realloc(void)
{
    long *v = shmem_malloc(4 * sizeof *v);
    v = shmem_realloc(v, 400 * sizeof *v);
    if (me == 0)
        shmem_long_p(&v[399], 1, 1); /* realloc a */
    BARRIER;
    if (me == 1)
        shmem_long_p(&v[399], 2, 1); /* realloc b */
    shmem_free(v);
}

/* Two blocks, one of which two PEs take for theirs. */
static void case_blocks(void)
{
    char *first = shmem_malloc(64), *second = shmem_malloc(64);
    char from[64] = {0};
    if (me == 0)
        shmem_putmem(first, from, 64, 1); /* blocks a */
    if (me == 1)
        shmem_putmem(OR(first + 63, second), from, 1, 1); /* blocks b */
    shmem_free(second);
    shmem_free(first);
}

/* A variable that other files know. */
static void case_global(void)
{
    if (me == 0)
        (void)shmem_long_g(&shared_by_all, 1); /* global a */
    BARRIER;
    if (me == 1)
        shmem_long_p(&shared_by_all, 1, 1); /* global b */
}

/* A whole structure and a field of it. */
static void case_field(void)
{
    struct body b = {0};
    if (me == 0)
        shmem_putmem(&bodies[1], &b, sizeof b, 1); /* field a */
    if (me == 1)
        shmem_int_p(&bodies[OR(1, 2)].kind, 1, 1); /* field b */
}

/* Rows of a board: the same one, where each has its own. */
static void case_rows(void)
{
    int from[8] = {0};
    if (me < 2)
        shmem_int_put(board[OR(1, me)], from, 8, 1); /* rows ab */
}

int main(void)
{
    start();
    run(case_malloc);
    run(case_align);
    run(case_calloc);
    run(case_realloc);
    run(case_blocks);
    run(case_global);
    run(case_field);
    run(case_rows);
    shmem_finalize();
    return 0;
}
