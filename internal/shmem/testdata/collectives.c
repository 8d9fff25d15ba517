/* Members of an active set that disagree in a collective, with 2 PEs: `collectives NAME` shows one, at the two lines that name it; `collectives fixed` makes
   all calls as they should be. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OR(wrong, right) (fixed ? (right) : (wrong))
#define PSYNC(name) static long name[SHMEM_SYNC_SIZE] = {[0 ... SHMEM_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE}

static int me, n, fixed;
static long to[64], from[64], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8];

static void root(void)
{
    PSYNC(sync);
    if (me == 0)
        shmem_broadcast64(to, from, 4, 0, 0, 0, n, sync); /* root: shmem-collective: root */
    else
        shmem_broadcast64(to, from, 4, OR(1, 0), 0, 0, n, sync); /* root: shmem-collective: root */
}

static void count(void)
{
    PSYNC(sync);
    if (me == 0)
        shmem_broadcast64(to, from, 4, 0, 0, 0, n, sync); /* count: shmem-collective: elements */
    else
        shmem_broadcast64(to, from, OR(5, 4), 0, 0, 0, n, sync); /* count: shmem-collective: elements */
}

static void sum_count(void)
{
    PSYNC(sync);
    if (me == 0)
        shmem_long_sum_to_all(to, from, 3, 0, 0, n, work, sync); /* sum-count: shmem-collective: elements */
    else
        shmem_long_sum_to_all(to, from, OR(2, 3), 0, 0, n, work, sync); /* sum-count: shmem-collective: elements */
}

static void fcollect_count(void)
{
    PSYNC(sync);
    if (me == 0)
        shmem_fcollect32(to, from, 2, 0, 0, n, sync); /* fcollect-count: shmem-collective: elements */
    else
        shmem_fcollect32(to, from, OR(4, 2), 0, 0, n, sync); /* fcollect-count: shmem-collective: elements */
}

/* Elements of 8 bytes and of 4. (The counts of shmem_collect may differ.) */
static void element_size(void)
{
    PSYNC(sync);
    shmem_collect64(to, from, (size_t)me + 1, 0, 0, n, sync);
    shmem_barrier_all();
    if (fixed || me == 0)
        shmem_broadcast64(to, from, 4, 0, 0, 0, n, sync); /* element-size: shmem-collective: shmem_broadcast64 */
    else
        shmem_broadcast32(to, from, 4, 0, 0, 0, n, sync); /* element-size: shmem-collective: shmem_broadcast32 */
}

static void operation(void)
{
    PSYNC(sync);
    if (fixed || me == 0)
        shmem_long_sum_to_all(to, from, 1, 0, 0, n, work, sync); /* operation: shmem-collective: shmem_long_sum_to_all */
    else
        shmem_long_max_to_all(to, from, 1, 0, 0, n, work, sync); /* operation: shmem-collective: shmem_long_max_to_all */
}

static void function(void)
{
    PSYNC(sync);
    if (fixed || me == 0)
        shmem_fcollect64(to, from, 2, 0, 0, n, sync); /* function: shmem-collective: shmem_fcollect64 */
    else
        shmem_alltoall64(to, from, 2, 0, 0, n, sync); /* function: shmem-collective: shmem_alltoall64 */
}

static void barrier_sync(void)
{
    if (fixed || me == 0)
        shmem_barrier_all(); /* barrier-sync: shmem-collective: shmem_barrier_all */
    else
        shmem_sync_all(); /* barrier-sync: shmem-collective: shmem_sync_all */
}

static void barrier_kinds(void)
{
    PSYNC(sync);
    if (fixed || me == 0)
        shmem_barrier_all(); /* barrier-kinds: shmem-collective: shmem_barrier_all */
    else
        shmem_barrier(0, 0, n, sync); /* barrier-kinds: shmem-collective: shmem_barrier */
}

static void barrier_broadcast(void)
{
    PSYNC(sync);
    if (fixed || me == 0)
        shmem_barrier_all(); /* barrier-broadcast: shmem-collective: shmem_barrier_all */
    else
        shmem_broadcast64(to, from, 1, 0, 0, 0, n, sync); /* barrier-broadcast: shmem-collective: shmem_broadcast64 */
}

static void size(void)
{
    void *block;
    if (me == 0)
        block = shmem_malloc(1000); /* size: shmem-collective: bytes */
    else
        block = shmem_malloc(OR(2000, 1000)); /* size: shmem-collective: bytes */
    shmem_free(block);
}

static void calloc_size(void)
{
    void *block;
    if (me == 0)
        block = shmem_calloc(10, 8); /* calloc-size: shmem-collective: bytes */
    else
        block = shmem_calloc(OR(20, 10), 8); /* calloc-size: shmem-collective: bytes */
    shmem_free(block);
}

static void realloc_size(void)
{
    void *block = shmem_malloc(64);
    if (me == 0)
        block = shmem_realloc(block, 128); /* realloc-size: shmem-collective: bytes */
    else
        block = shmem_realloc(block, OR(256, 128)); /* realloc-size: shmem-collective: bytes */
    shmem_free(block);
}

static void malloc_barrier(void)
{
    void *block = NULL;
    if (fixed || me == 0)
        block = shmem_malloc(64); /* malloc-barrier: shmem-collective: shmem_malloc */
    else
        shmem_barrier_all(); /* malloc-barrier: shmem-collective: shmem_barrier_all */
    if (block)
        shmem_free(block);
}

static void free_barrier(void)
{
    void *block = shmem_malloc(64);
    if (fixed || me == 0)
        shmem_free(block); /* free-barrier: shmem-collective: shmem_free */
    else
        shmem_barrier_all(); /* free-barrier: shmem-collective: shmem_barrier_all */
}

static void finalize_barrier(void)
{
    if (!fixed && me == 1) {
        shmem_finalize(); /* finalize-barrier: shmem-collective: shmem_finalize */
        exit(0);
    }
    shmem_barrier_all(); /* finalize-barrier: shmem-collective: shmem_barrier_all */
}

static const struct {
    const char *name;
    void (*make)(void);
} all[] = {
    {"root", root},
    {"count", count},
    {"sum-count", sum_count},
    {"fcollect-count", fcollect_count},
    {"element-size", element_size},
    {"operation", operation},
    {"function", function},
    {"barrier-sync", barrier_sync},
    {"barrier-kinds", barrier_kinds},
    {"barrier-broadcast", barrier_broadcast},
    {"size", size},
    {"calloc-size", calloc_size},
    {"realloc-size", realloc_size},
    {"malloc-barrier", malloc_barrier},
    {"free-barrier", free_barrier},
    {"finalize-barrier", finalize_barrier},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int known = 0;
    fixed = strcmp(name, "fixed") == 0;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!fixed && strcmp(name, all[i].name) != 0)
            continue;
        known = 1;
        shmem_barrier_all();
        all[i].make();
        shmem_barrier_all();
    }
    if (!known)
        fprintf(stderr, "no case %s\n", name);
    shmem_finalize();
    return known ? 0 : 2;
}
