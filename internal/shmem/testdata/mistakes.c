/* Mistakes in the arguments, the order and the locks of OpenSHMEM, made with 2 PEs: `mistakes NAME` makes one, at the line that names it; `mistakes fixed`
   makes all calls as they should be. */
#include <pthread.h>
#include <shmem.h>
#include <unistd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OR(wrong, right) (fixed ? (right) : (wrong))
#define PSYNC(name) static long name[SHMEM_SYNC_SIZE] = {[0 ... SHMEM_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE}

static int me, n, fixed;
static long value, lock, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8];
static long array[64], source[64];

/* ---- PEs ---- */

static void pe_large(void)
{
    shmem_long_p(&value, 1, OR(n, 1)); /* pe-large: shmem-argument: there are only 2 PEs, 0 to 1 */
}

static void pe_negative(void)
{
    shmem_long_put(array, source, 4, OR(-1, 1)); /* pe-negative: shmem-argument: there are only 2 PEs, 0 to 1 */
}

static void pe_get(void)
{
    long to[4];
    shmem_long_get(to, array, 4, OR(2, 1)); /* pe-get: shmem-argument: there are only 2 PEs, 0 to 1 */
}

static void pe_g(void)
{
    (void)shmem_long_g(&value, OR(1000, 1)); /* pe-g: shmem-argument: there are only 2 PEs, 0 to 1 */
}

static void pe_atomic(void)
{
    shmem_long_atomic_inc(&value, OR(n, 1)); /* pe-atomic: shmem-argument: there are only 2 PEs, 0 to 1 */
}

static void pe_fetch(void)
{
    (void)shmem_long_atomic_fetch_add(&value, 1, OR(-3, 1)); /* pe-fetch: shmem-argument: there are only 2 PEs, 0 to 1 */
}

static void pe_iput(void)
{
    shmem_long_iput(array, source, 2, 1, 4, OR(n, 1)); /* pe-iput: shmem-argument: there are only 2 PEs, 0 to 1 */
}

static void pe_iget(void)
{
    shmem_iget64(array, source, 1, 2, 4, OR(n + 1, 1)); /* pe-iget: shmem-argument: there are only 2 PEs, 0 to 1 */
}

static void pe_nbi(void)
{
    shmem_putmem_nbi(array, source, 8, OR(n, 1)); /* pe-nbi: shmem-argument: there are only 2 PEs, 0 to 1 */
    shmem_quiet();
}

/* ---- Addresses ---- */

static void stack_target(void)
{
    long here = 0;
    shmem_long_p(OR(&here, &value), 1, 1); /* stack-target: shmem-argument: not symmetric */
}

static void malloc_target(void)
{
    long *block = malloc(64);
    shmem_putmem(OR(block, array), source, 64, 1); /* malloc-target: shmem-argument: not symmetric */
    free(block);
}

static void stack_source(void)
{
    long here[2] = {0}, to[2];
    shmem_long_get(to, OR(here, array), 2, 1); /* stack-source: shmem-argument: not symmetric */
}

static void stack_atomic(void)
{
    long here = 0;
    (void)shmem_long_atomic_swap(OR(&here, &value), 1, 1); /* stack-atomic: shmem-argument: not symmetric */
}

static void stack_wait(void)
{
    static volatile long there = 1;
    volatile long here = 1;
    shmem_long_wait_until(OR(&here, &there), SHMEM_CMP_EQ, 1); /* stack-wait: shmem-argument: not symmetric */
}

static void stack_lock(void)
{
    long here = 0, *l = OR(&here, &lock);
    shmem_set_lock(l); /* stack-lock: shmem-argument: not symmetric */
    shmem_clear_lock(l);
}

static void constant_target(void)
{
    static char there[8];
    shmem_putmem((void *)OR("text", there), source, 4, 1); /* constant-target: shmem-argument: not symmetric */
}

static void freed_put(void)
{
    long *block = shmem_malloc(64), *other = shmem_malloc(64);
    shmem_free(block);
    if (me == 0)
        shmem_long_p(OR(block, other), 1, 1); /* freed-put: shmem-argument: freed */
    shmem_free(other);
}

static void freed_get(void)
{
    long *block = shmem_calloc(8, 8), *other = shmem_calloc(8, 8);
    shmem_free(block);
    if (me == 0)
        (void)shmem_long_g(OR(block, other) + 3, 1); /* freed-get: shmem-argument: freed */
    shmem_free(other);
}

static void freed_source(void)
{
    long *block = shmem_malloc(64), *other = shmem_calloc(8, 8);
    shmem_free(block);
    if (me == 0)
        shmem_putmem(array, OR(block, other), 64, 1); /* freed-source: shmem-argument: freed */
    shmem_free(other);
}

static void moved_block(void)
{
    long *old = shmem_malloc(64), *next = shmem_malloc(64), *block = shmem_realloc(old, 1 << 20); /* it cannot grow where it is */
    if (me == 0)
        shmem_long_p(OR(old, block), 1, 1); /* moved-block: shmem-argument: freed */
    shmem_free(next);
    shmem_free(block);
}

/* ---- Bounds ---- */

static void beyond_block(void)
{
    long *block = shmem_malloc(8 * sizeof *block);
    if (me == 0)
        shmem_long_put(block, source, OR(9, 8), 1); /* beyond-block: shmem-argument: 72 bytes */
    shmem_free(block);
}

static void beyond_p(void)
{
    int *block = shmem_malloc(8 * sizeof *block);
    if (me == 0)
        shmem_int_p(block + OR(8, 7), 1, 1); /* beyond-p: shmem-argument: end */
    shmem_free(block);
}

static void beyond_get(void)
{
    char *block = shmem_malloc(100), to[128];
    if (me == 0)
        shmem_getmem(to, block, OR(101, 100), 1); /* beyond-get: shmem-argument: 101 bytes */
    shmem_free(block);
}

static void beyond_iput(void)
{
    long *block = shmem_malloc(8 * sizeof *block);
    if (me == 0)
        shmem_long_iput(block, source, 4, 1, OR(3, 2), 1); /* beyond-iput: shmem-argument: 72 bytes */
    shmem_free(block);
}

static void beyond_source(void)
{
    long *block = shmem_calloc(4, sizeof *block);
    if (me == 0)
        shmem_long_put(array, block, OR(5, 4), 1); /* beyond-source: shmem-argument: 40 bytes */
    shmem_free(block);
}

static void beyond_variable(void)
{
    static char large[1 << 20];
    shmem_putmem(array, large, OR(1 << 20, sizeof array), 1); /* beyond-variable: shmem-argument: 1048576 bytes */
}

static void beyond_atomic(void)
{
    char *block = shmem_calloc(1, 12);
    if (me == 0)
        shmem_long_atomic_inc((long *)(block + OR(8, 0)), 1); /* beyond-atomic: shmem-argument: of which it accesses 8 bytes, but only 4 bytes are there */
    shmem_free(block);
}

static void too_many(void)
{
    shmem_long_put(array, source, OR((size_t)1 << 61, 8), 1); /* too-many: shmem-argument: elements */
}

/* ---- Null pointers and strides ---- */

static void null_target(void)
{
    shmem_long_p(OR(NULL, &value), 1, 1); /* null-target: shmem-argument: null */
}

static void null_source(void)
{
    shmem_long_put(array, OR(NULL, source), 4, 1); /* null-source: shmem-argument: null */
}

static void null_get(void)
{
    shmem_getmem(OR(NULL, array), source, 16, 1); /* null-get: shmem-argument: null */
}

static void stride_zero(void)
{
    shmem_long_iput(array, source, OR(0, 1), 1, 4, 1); /* stride-zero: shmem-argument: 0 */
}

static void stride_negative(void)
{
    shmem_long_iput(array, source + 32, 1, OR(-2, 2), 4, 1); /* stride-negative: shmem-argument: -2 */
}

static void stride_get(void)
{
    long to[16];
    shmem_long_iget(to, array, OR(0, 2), 1, 4, 1); /* stride-get: shmem-argument: 0 */
}

/* ---- Waiting, and alignment ---- */

static void compare(void)
{
    static volatile long flag = 1;
    (void)shmem_long_test(&flag, OR(17, SHMEM_CMP_EQ), 1); /* compare: shmem-argument: 17 */
}

static void compare_wait(void)
{
    static volatile int flag = 1;
    alarm(2); /* it may never return */
    shmem_int_wait_until(&flag, OR(-1, SHMEM_CMP_GE), 1); /* compare-wait: shmem-argument: -1 */
    alarm(0);
}

static void misaligned_atomic(void)
{
    shmem_long_atomic_add((long *)((char *)array + OR(4, 8)), 1, 1); /* misaligned-atomic: shmem-argument: which is not a multiple of */
}

static void misaligned_fetch(void)
{
    (void)shmem_int_atomic_fetch_inc((int *)((char *)array + OR(2, 4)), 1); /* misaligned-fetch: shmem-argument: which is not a multiple of */
}

/* ---- Collectives ---- */

static void set_outside(void)
{
    PSYNC(sync);
    shmem_barrier(0, 0, OR(n + 1, n), sync); /* set-outside: shmem-argument: PE_size 3, which is not an active set */
}

static void set_start(void)
{
    PSYNC(sync);
    shmem_sync(OR(-1, 0), 0, n, sync); /* set-start: shmem-argument: -1 */
}

static void set_stride(void)
{
    PSYNC(sync);
    shmem_barrier(0, OR(-1, 0), n, sync); /* set-stride: shmem-argument: -1 */
}

static void set_empty(void)
{
    PSYNC(sync);
    shmem_barrier(0, 0, OR(0, n), sync); /* set-empty: shmem-argument: 0 */
}

static void no_member(void)
{
    PSYNC(sync);
    if (me == 1)
        shmem_barrier(OR(0, 1), 0, 1, sync); /* no-member: shmem-argument: PE 1 */
}

static void root_outside(void)
{
    PSYNC(sync);
    shmem_broadcast64(array, source, 4, OR(n, 0), 0, 0, n, sync); /* root-outside: shmem-argument: root */
}

/* The root is counted in the set, not in the job. */
static void root_in_set(void)
{
    PSYNC(sync);
    if (me == 1)
        shmem_broadcast64(array, source, 4, OR(1, 0), 1, 0, 1, sync); /* root-in-set: shmem-argument: root */
}

static void overlap(void)
{
    PSYNC(sync);
    shmem_fcollect64(array, OR(array + 1, source), 2, 0, 0, n, sync); /* overlap: shmem-argument: overlap */
}

static void overlap_sum(void)
{
    PSYNC(sync);
    shmem_long_sum_to_all(array, array + OR(2, 4), 4, 0, 0, n, work, sync); /* overlap-sum: shmem-argument: overlap */
}

static void overlap_alltoall(void)
{
    PSYNC(sync);
    shmem_alltoall64(array, OR(array, source), 2, 0, 0, n, sync); /* overlap-alltoall: shmem-argument: overlap */
}

static void sync_value(void)
{
    static long zeros[SHMEM_SYNC_SIZE];
    PSYNC(sync);
    shmem_broadcast64(array, source, 4, 0, 0, 0, n, OR(zeros, sync)); /* sync-value: shmem-argument: SHMEM_SYNC_VALUE */
}

static void sync_sum(void)
{
    static long half[SHMEM_SYNC_SIZE] = {SHMEM_SYNC_VALUE};
    PSYNC(sync);
    shmem_long_sum_to_all(array, source, 4, 0, 0, n, work, OR(half, sync)); /* sync-sum: shmem-argument: SHMEM_SYNC_VALUE */
}

static void sync_stack(void)
{
    long here[SHMEM_SYNC_SIZE];
    PSYNC(sync);
    for (int i = 0; i < SHMEM_SYNC_SIZE; i++)
        here[i] = SHMEM_SYNC_VALUE;
    shmem_barrier(0, 0, n, OR(here, sync)); /* sync-stack: shmem-argument: not symmetric */
}

static void sum_stack(void)
{
    long here = 0;
    PSYNC(sync);
    shmem_long_sum_to_all(OR(&here, array), source, 1, 0, 0, n, work, sync); /* sum-stack: shmem-argument: not symmetric */
}

static void sum_source(void)
{
    long here = 0;
    PSYNC(sync);
    shmem_long_max_to_all(array, OR(&here, source), 1, 0, 0, n, work, sync); /* sum-source: shmem-argument: not symmetric */
}

static void sum_beyond(void)
{
    long *block = shmem_malloc(4 * sizeof *block);
    PSYNC(sync);
    shmem_long_sum_to_all(block, source, OR(5, 4), 0, 0, n, work, sync); /* sum-beyond: shmem-argument: 40 bytes */
    shmem_free(block);
}

static void collect_null(void)
{
    PSYNC(sync);
    shmem_collect64(OR(NULL, array), source, 2, 0, 0, n, sync); /* collect-null: shmem-argument: null */
}

static void alltoalls_stride(void)
{
    PSYNC(sync);
    shmem_alltoalls64(array, source, 1, OR(0, 1), 2, 0, 0, n, sync); /* alltoalls-stride: shmem-argument: 0 */
}

/* ---- Locks ---- */

static void clear_free(void)
{
    if (fixed)
        shmem_set_lock(&lock);
    shmem_clear_lock(&lock); /* clear-free: shmem-lock: does not hold */
}

static void clear_others(void)
{
    if (me == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == OR(1, 0))
        shmem_clear_lock(&lock); /* clear-others: shmem-lock: does not hold */
    shmem_barrier_all();
    if (me == 0 && !fixed)
        shmem_clear_lock(&lock);
}

static void clear_untested(void)
{
    static long taken;
    if (me == 0)
        shmem_set_lock(&taken);
    shmem_barrier_all();
    if (me == 1) {
        int failed = shmem_test_lock(&taken);
        if (OR(1, !failed))
            shmem_clear_lock(&taken); /* clear-untested: shmem-lock: does not hold */
    }
    shmem_barrier_all();
    if (me == 0)
        shmem_clear_lock(&taken);
}

static void set_twice(void)
{
    static long other;
    shmem_set_lock(&lock);
    shmem_set_lock(OR(&lock, &other)); /* set-twice: shmem-lock: which it has held since mistakes.c:432 */
    shmem_clear_lock(&lock);
    shmem_clear_lock(&other);
}

static void held_at_end(void)
{
    static long last;
    if (me == 0) {
        shmem_set_lock(&last);
        if (fixed)
            shmem_clear_lock(&last);
    }
}

/* ---- The heap ---- */

static void free_stack(void)
{
    long here = 0, *block = shmem_malloc(64);
    shmem_free(OR(&here, block)); /* free-stack: shmem-argument: shmem_malloc */
}

static void free_inside(void)
{
    long *block = shmem_malloc(64);
    shmem_free(block + OR(1, 0)); /* free-inside: shmem-argument: shmem_malloc */
}

static void free_variable(void)
{
    void *block = shmem_malloc(64);
    shmem_free(OR((void *)array, block)); /* free-variable: shmem-argument: shmem_malloc */
}

static void free_twice(void)
{
    long *block = shmem_malloc(64), *other = shmem_malloc(64);
    shmem_free(block);
    shmem_free(OR(block, other)); /* free-twice: shmem-argument: freed */
}

static void realloc_malloc(void)
{
    void *mine = malloc(64), *block = shmem_malloc(64);
    block = shmem_realloc(OR(mine, block), 128); /* realloc-malloc: shmem-argument: shmem_malloc */
    shmem_free(block);
    free(mine);
}

/* ---- Contexts ---- */

static void context_destroyed(void)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx))
        return;
    if (!fixed)
        shmem_ctx_destroy(ctx);
    shmem_ctx_long_p(ctx, &value, 1, 1); /* context-destroyed: shmem-order: with a ctx that was destroyed, or never created */
    if (fixed)
        shmem_ctx_destroy(ctx);
}

static void context_quiet(void)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx))
        return;
    if (!fixed)
        shmem_ctx_destroy(ctx);
    shmem_ctx_quiet(ctx); /* context-quiet: shmem-order: with a ctx that was destroyed, or never created */
    if (fixed)
        shmem_ctx_destroy(ctx);
}

static void context_twice(void)
{
    shmem_ctx_t ctx;
    if (shmem_ctx_create(0, &ctx))
        return;
    shmem_ctx_destroy(ctx);
    if (!fixed)
        shmem_ctx_destroy(ctx); /* context-twice: shmem-order: with a ctx that was destroyed, or never created */
}

static void context_default(void)
{
    if (!fixed)
        shmem_ctx_destroy(SHMEM_CTX_DEFAULT); /* context-default: shmem-order: with SHMEM_CTX_DEFAULT as ctx, which may not be destroyed */
}

/* ---- Threads ---- */

static void *in_thread(void *unused)
{
    shmem_long_p(&value, 1, 1); /* thread: shmem-order: thread */
    return unused;
}

static void thread(void)
{
    pthread_t t;
    if (fixed)
        return;
    if (pthread_create(&t, NULL, in_thread, NULL) == 0)
        pthread_join(t, NULL);
}

static void *in_worker(void *unused)
{
    (void)shmem_long_g(&value, 1); /* thread-funneled: shmem-order: thread */
    return unused;
}

static void thread_funneled(void)
{
    pthread_t t;
    if (fixed)
        return;
    if (pthread_create(&t, NULL, in_worker, NULL) == 0)
        pthread_join(t, NULL);
}

static void *in_turn(void *unused)
{
    shmem_sync_all(); /* thread-collective: shmem-order: thread */
    return unused;
}

/* The call is made by the wrong thread, but it is made: the others need not wait, and the put comes before the get. */
static void thread_collective(void)
{
    pthread_t t;
    if (me == 1) {
        shmem_long_p(&value, 7, 0);
        shmem_quiet();
    }
    if (fixed || me != 0)
        shmem_sync_all();
    else if (pthread_create(&t, NULL, in_turn, NULL) == 0)
        pthread_join(t, NULL);
    if (me == 0)
        (void)shmem_long_g(&value, 0);
}

static shmem_ctx_t shared_context;

static void *in_other(void *unused)
{
    shmem_ctx_long_p(shared_context, &value, 1, 1); /* private-context: shmem-order: in another thread than the one that has made its ctx, with SHMEM_CTX_PRIVATE */
    return unused;
}

static void private_context(void)
{
    pthread_t t;
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &shared_context))
        return;
    if (fixed)
        shmem_ctx_long_p(shared_context, &value, 1, 1);
    else if (pthread_create(&t, NULL, in_other, NULL) == 0)
        pthread_join(t, NULL);
    shmem_ctx_destroy(shared_context);
}

enum { MANY = 100000 };
static long many[MANY], from[MANY];

static void *at_once(void *unused)
{
    for (int i = 0; i < (fixed ? 1 : 2000); i++)
        shmem_ctx_long_put(shared_context, many, from, MANY, 1); /* serialized-context: shmem-order: while another thread is in a call with the same ctx, made with SHMEM_CTX_SERIALIZED */
    return unused;
}

/* The library may end the program for that. */
static void serialized_context(void)
{
    pthread_t t;
    if (shmem_ctx_create(SHMEM_CTX_SERIALIZED, &shared_context))
        return;
    if (fixed)
        at_once(NULL);
    else if (pthread_create(&t, NULL, at_once, NULL) == 0) {
        at_once(NULL);
        pthread_join(t, NULL);
    }
    shmem_ctx_destroy(shared_context);
}

/* ---- The beginning and the end ---- */

static void init_twice(void)
{
    if (!fixed)
        shmem_init(); /* init-twice: shmem-order: shmem_init */
}

static void no_mistake(void)
{
}

static const struct {
    const char *name;
    void (*make)(void);
    int all; /* all PEs make it, not only PE 0 */
} mistakes[] = {
    {"pe-large", pe_large, 0},
    {"pe-negative", pe_negative, 0},
    {"pe-get", pe_get, 0},
    {"pe-g", pe_g, 0},
    {"pe-atomic", pe_atomic, 0},
    {"pe-fetch", pe_fetch, 0},
    {"pe-iput", pe_iput, 0},
    {"pe-iget", pe_iget, 0},
    {"pe-nbi", pe_nbi, 0},
    {"stack-target", stack_target, 0},
    {"malloc-target", malloc_target, 0},
    {"stack-source", stack_source, 0},
    {"stack-atomic", stack_atomic, 0},
    {"stack-wait", stack_wait, 0},
    {"stack-lock", stack_lock, 0},
    {"constant-target", constant_target, 0},
    {"freed-put", freed_put, 1},
    {"freed-get", freed_get, 1},
    {"freed-source", freed_source, 1},
    {"moved-block", moved_block, 1},
    {"beyond-block", beyond_block, 1},
    {"beyond-p", beyond_p, 1},
    {"beyond-get", beyond_get, 1},
    {"beyond-iput", beyond_iput, 1},
    {"beyond-source", beyond_source, 1},
    {"beyond-variable", beyond_variable, 0},
    {"beyond-atomic", beyond_atomic, 1},
    {"too-many", too_many, 0},
    {"null-target", null_target, 0},
    {"null-source", null_source, 0},
    {"null-get", null_get, 0},
    {"stride-zero", stride_zero, 0},
    {"stride-negative", stride_negative, 0},
    {"stride-get", stride_get, 0},
    {"compare", compare, 0},
    {"compare-wait", compare_wait, 0},
    {"misaligned-atomic", misaligned_atomic, 0},
    {"misaligned-fetch", misaligned_fetch, 0},
    {"set-outside", set_outside, 1},
    {"set-start", set_start, 1},
    {"set-stride", set_stride, 1},
    {"set-empty", set_empty, 1},
    {"no-member", no_member, 1},
    {"root-outside", root_outside, 1},
    {"root-in-set", root_in_set, 1},
    {"overlap", overlap, 1},
    {"overlap-sum", overlap_sum, 1},
    {"overlap-alltoall", overlap_alltoall, 1},
    {"sync-value", sync_value, 1},
    {"sync-sum", sync_sum, 1},
    {"sync-stack", sync_stack, 1},
    {"sum-stack", sum_stack, 1},
    {"sum-source", sum_source, 1},
    {"sum-beyond", sum_beyond, 1},
    {"collect-null", collect_null, 1},
    {"alltoalls-stride", alltoalls_stride, 1},
    {"clear-free", clear_free, 0},
    {"clear-others", clear_others, 1},
    {"clear-untested", clear_untested, 1},
    {"set-twice", set_twice, 0},
    {"free-stack", free_stack, 1},
    {"free-inside", free_inside, 1},
    {"free-variable", free_variable, 1},
    {"free-twice", free_twice, 1},
    {"realloc-malloc", realloc_malloc, 1},
    {"context-destroyed", context_destroyed, 0},
    {"context-quiet", context_quiet, 0},
    {"context-twice", context_twice, 0},
    {"context-default", context_default, 0},
    {"thread", thread, 0},
    {"thread-funneled", thread_funneled, 0},
    {"thread-collective", thread_collective, 1},
    {"private-context", private_context, 0},
    {"serialized-context", serialized_context, 0},
    {"init-twice", init_twice, 0},
    {"held-at-end", held_at_end, 1},
    {"before-init", no_mistake, 0},
    {"after-finalize", no_mistake, 0},
    {"finalize-twice", no_mistake, 0},
    {"level", no_mistake, 0},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int level = strcmp(name, "thread-funneled") == 0 ? SHMEM_THREAD_FUNNELED
                : strstr(name, "-context")           ? SHMEM_THREAD_MULTIPLE
                                                     : SHMEM_THREAD_SINGLE;
    int provided;
    fixed = strcmp(name, "fixed") == 0;

    if (strcmp(name, "before-init") == 0)
        shmem_quiet(); /* before-init: shmem-order: before shmem_init */
    if (strcmp(name, "level") == 0)
        shmem_init_thread(99, &provided); /* level: shmem-order: the thread level 99 */
    else if (level == SHMEM_THREAD_SINGLE)
        shmem_init();
    else
        shmem_init_thread(level, &provided);
    me = shmem_my_pe();
    n = shmem_n_pes();
    int known = fixed;
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        if (!fixed && strcmp(name, mistakes[i].name) != 0)
            continue;
        known = 1;
        shmem_barrier_all();
        if (me == 0 || mistakes[i].all)
            mistakes[i].make();
        shmem_barrier_all();
    }
    if (!known)
        fprintf(stderr, "no mistake %s\n", name);
    shmem_finalize(); /* held-at-end: shmem-lock: holds */
    if (strcmp(name, "finalize-twice") == 0)
        shmem_finalize(); /* finalize-twice: shmem-order: after shmem_finalize */
    if (strcmp(name, "after-finalize") == 0)
        shmem_quiet(); /* after-finalize: shmem-order: after shmem_finalize */
    return known ? 0 : 2;
}
