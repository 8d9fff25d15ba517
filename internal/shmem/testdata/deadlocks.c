/* PEs that wait for each other: `deadlocks NAME` makes them, with as many PEs as the comment above the function says; `deadlocks fixed-NAME` is the same without
   the error. The lines where they wait are marked by the name and the number of the PE. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PSYNC(name) static long name[SHMEM_SYNC_SIZE] = {[0 ... SHMEM_SYNC_SIZE - 1] = SHMEM_SYNC_VALUE}

static int me, n, fixed;
static long flag, lock, other;

/* barrier-missed, 3 PEs: PE 1 goes on without the barrier, to a wait for what comes after it. */
static void barrier_missed(void)
{
    if (me != 1 || fixed)
        shmem_barrier_all(); /* barrier-missed pe 0 */ /* barrier-missed pe 2 */
    if (me == 0)
        shmem_long_p(&flag, 1, 1);
    if (me == 1)
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* barrier-missed pe 1 */
}

/* finalized, 3 PEs: one is in a barrier of two, the others are at their end. */
static void finalized(void)
{
    PSYNC(sync);
    if (me == 0 || (fixed && me == 1))
        shmem_barrier(0, 0, 2, sync); /* finalized pe 0 */
    shmem_finalize(); /* finalized pe 1 */ /* finalized pe 2 */
    exit(0);
}

/* finalized-flag, 2 PEs: one waits for a flag that the other one has not set before its end. */
static void finalized_flag(void)
{
    if (me == 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* finalized-flag pe 0 */
    else if (fixed)
        shmem_long_p(&flag, 1, 0);
    shmem_finalize(); /* finalized-flag pe 1 */
    exit(0);
}

/* nobody, 2 PEs: the flag is set at the wrong PE. */
static void nobody(void)
{
    if (me == 0)
        shmem_long_p(&flag, 1, fixed ? 1 : 0);
    if (me == 1)
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* nobody pe 1 */
    shmem_barrier_all(); /* nobody pe 0 */
}

/* wrong-value, 2 PEs: the counter goes past the value that is waited for. */
static void wrong_value(void)
{
    if (me == 0) {
        shmem_long_atomic_add(&flag, 3, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
        shmem_long_wait_until(&flag, fixed ? SHMEM_CMP_GE : SHMEM_CMP_EQ, 2); /* wrong-value pe 1 */
    }
    shmem_barrier_all(); /* wrong-value pe 0 */
}

/* two, 2 PEs: each waits for the other one's flag before it sets its own. */
static void two(void)
{
    if (fixed && me == 0)
        shmem_long_p(&flag, 1, 1);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* two pe 0 */ /* two pe 1 */
    if (!fixed || me == 1)
        shmem_long_p(&flag, 1, 1 - me);
            shmem_quiet();
}

/* three, 3 PEs: a token goes around, but nobody has it first. */
static void three(void)
{
    if (fixed && me == 0)
        shmem_long_atomic_inc(&flag, 1);
    shmem_long_wait_until(&flag, SHMEM_CMP_GT, 0); /* three pe 0 */ /* three pe 1 */ /* three pe 2 */
    if (!fixed || me > 0)
        shmem_long_atomic_inc(&flag, (me + 1) % n);
}

/* locks, 2 PEs: two locks, taken in opposite order. */
static void locks(void)
{
    long *first = me == 0 || fixed ? &lock : &other, *second = first == &lock ? &other : &lock;
    if (!fixed) {
        shmem_set_lock(first);
        shmem_barrier_all();
        shmem_set_lock(second); /* locks pe 0 */ /* locks pe 1 */
    } else {
        shmem_set_lock(first);
        shmem_set_lock(second);
    }
    shmem_clear_lock(second);
    shmem_clear_lock(first);
}

/* lock-barrier, 3 PEs: PE 0 has the lock, and is in a barrier to which PE 1 comes after its turn. */
static void lock_barrier(void)
{
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_p(&flag, 1, 1);
        if (fixed)
            shmem_clear_lock(&lock);
    } else if (me == 1) {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_set_lock(&lock); /* lock-barrier pe 1 */
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all(); /* lock-barrier pe 0 */ /* lock-barrier pe 2 */
    if (me == 0 && !fixed)
        shmem_clear_lock(&lock);
}

/* lock-ended, 2 PEs: PE 0 comes to its end with the lock. */
static void lock_ended(void)
{
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_p(&flag, 1, 1);
        if (fixed)
            shmem_clear_lock(&lock);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        shmem_set_lock(&lock); /* lock-ended pe 1 */
        shmem_clear_lock(&lock);
    }
    shmem_finalize(); /* lock-ended pe 0 */
    exit(0);
}

/* lock-flag, 2 PEs: who has the lock waits for a flag that is set under it. */
static void lock_flag(void)
{
    if (me == 0) {
        shmem_set_lock(&lock);
        shmem_long_p(&other, 1, 1);
        if (fixed)
            shmem_clear_lock(&lock);
        shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0); /* lock-flag pe 0 */
        if (!fixed)
            shmem_clear_lock(&lock);
    } else {
        shmem_long_wait_until(&other, SHMEM_CMP_EQ, 1);
        shmem_set_lock(&lock); /* lock-flag pe 1 */
        shmem_long_p(&flag, 1, 0);
        shmem_clear_lock(&lock);
    }
}

/* subset, 3 PEs: PE 1 takes the barrier of all for the one of the first two. */
static void subset(void)
{
    PSYNC(sync);
    if (me == 0 || (fixed && me == 1))
        shmem_barrier(0, 0, 2, sync); /* subset pe 0 */
    shmem_barrier_all(); /* subset pe 1 */ /* subset pe 2 */
    if (me == 1 && !fixed)
        shmem_barrier(0, 0, 2, sync);
}

/* sets, 3 PEs: each pair has a barrier, and they come in a circle. */
static void sets(void)
{
    PSYNC(low);
    PSYNC(high);
    PSYNC(ends);
    if (me == 0) {
        shmem_barrier(0, 0, 2, low); /* sets pe 0 */
        shmem_barrier(0, 1, 2, ends);
    } else if (me == 1) {
        if (fixed)
            shmem_barrier(0, 0, 2, low);
        shmem_barrier(1, 0, 2, high); /* sets pe 1 */
        if (!fixed)
            shmem_barrier(0, 0, 2, low);
    } else {
        if (fixed)
            shmem_barrier(1, 0, 2, high);
        shmem_barrier(0, 1, 2, ends); /* sets pe 2 */
        if (!fixed)
            shmem_barrier(1, 0, 2, high);
    }
}

/* order, 3 PEs: two sums over sets that overlap, in different order. */
static void order(void)
{
    static long from, to[2], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8], more[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8];
    PSYNC(all);
    PSYNC(pair);
    if (me == 1 && fixed)
        shmem_long_sum_to_all(&to[1], &from, 1, 1, 0, 2, more, pair);
    if (me != 2)
        shmem_long_sum_to_all(&to[0], &from, 1, 0, 0, n, work, all); /* order pe 0 */ /* order pe 1 */
    if (me == 2)
        shmem_long_sum_to_all(&to[1], &from, 1, 1, 0, 2, more, pair); /* order pe 2 */
    if (me == 2)
        shmem_long_sum_to_all(&to[0], &from, 1, 0, 0, n, work, all);
    if (me == 1 && !fixed)
        shmem_long_sum_to_all(&to[1], &from, 1, 1, 0, 2, more, pair);
}

/* no-root, 3 PEs: the root waits for a flag that another PE sets after the broadcast. */
static void no_root(void)
{
    static long from, to;
    PSYNC(sync);
    if (me == 1 && fixed)
        shmem_long_p(&flag, 1, 0);
    if (me == 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* no-root pe 0 */
    shmem_broadcast64(&to, &from, 1, 0, 0, 0, n, sync); /* no-root pe 1 */ /* no-root pe 2 */
    if (me == 1 && !fixed)
        shmem_long_p(&flag, 1, 0);
}

/* behind-barrier, 2 PEs: the flag is set after a barrier to which the one who waits does not come. */
static void behind_barrier(void)
{
    if (me == 0) {
        if (fixed)
            shmem_long_p(&flag, 1, 1);
        shmem_barrier_all(); /* behind-barrier pe 0 */
        if (!fixed)
            shmem_long_p(&flag, 1, 1);
    } else {
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* behind-barrier pe 1 */
        shmem_barrier_all();
    }
}

/* alloc, 2 PEs: one allocates, the other one waits for what is sent to it afterwards. */
static void alloc(void)
{
    long *block = NULL;
    if (me == 0 || fixed)
        block = shmem_malloc(64); /* alloc pe 0 */
    if (me == 0)
        shmem_long_p(&flag, 1, 1);
    else
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* alloc pe 1 */
    if (!block)
        block = shmem_malloc(64);
    shmem_free(block);
}

/* part-locks, 3 PEs: two wait for each other's locks while the third one works. */
static void part_locks(void)
{
    if (me < 2) {
        long *first = me == 0 || fixed ? &lock : &other, *second = first == &lock ? &other : &lock;
        shmem_set_lock(first);
        if (!fixed) {
            shmem_long_p(&flag, 1, 1 - me);
            shmem_quiet();
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
        }
        shmem_set_lock(second); /* part-locks pe 0 */ /* part-locks pe 1 */
        shmem_clear_lock(second);
        shmem_clear_lock(first);
    } else {
        static long own;
        for (int i = 0; i < (fixed ? 1000 : 1000000000); i++)
            (void)shmem_long_atomic_fetch_inc(&own, i % 2);
    }
}

/* part-sets, 3 PEs: two are in different barriers, the third one has ended. */
static void part_sets(void)
{
    PSYNC(pair);
    PSYNC(alone);
    if (me == 0)
        shmem_barrier(0, 0, 2, pair); /* part-sets pe 0 */
    if (me == 1) {
        if (fixed)
            shmem_barrier(0, 0, 2, pair);
        else
            shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* part-sets pe 1 */
        shmem_barrier(1, 0, 1, alone);
    }
    shmem_finalize(); /* part-sets pe 2 */
    exit(0);
}

/* pipeline, 4 PEs: the last stage waits for one item more than the first one sends. */
static void pipeline(void)
{
    static long count, item;
    int items = me == n - 1 && !fixed ? 4 : 3;
    for (int i = 1; i <= items; i++) {
        if (me > 0)
            shmem_long_wait_until(&count, SHMEM_CMP_GE, i); /* pipeline pe 3 */
        if (me + 1 < n) {
            shmem_long_p(&item, i, me + 1);
            shmem_fence();
            shmem_long_atomic_inc(&count, me + 1);
        }
    }
    shmem_barrier_all(); /* pipeline pe 0 */ /* pipeline pe 1 */ /* pipeline pe 2 */
}

static const struct {
    const char *name;
    void (*make)(void);
} all[] = {
    {"barrier-missed", barrier_missed},
    {"finalized", finalized},
    {"finalized-flag", finalized_flag},
    {"nobody", nobody},
    {"wrong-value", wrong_value},
    {"two", two},
    {"three", three},
    {"locks", locks},
    {"lock-barrier", lock_barrier},
    {"lock-ended", lock_ended},
    {"lock-flag", lock_flag},
    {"subset", subset},
    {"sets", sets},
    {"order", order},
    {"no-root", no_root},
    {"behind-barrier", behind_barrier},
    {"alloc", alloc},
    {"part-locks", part_locks},
    {"part-sets", part_sets},
    {"pipeline", pipeline},
};

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    fixed = strncmp(name, "fixed-", 6) == 0;
    if (fixed)
        name += 6;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(name, all[i].name) == 0) {
            all[i].make();
            shmem_finalize();
            return 0;
        }
    }
    fprintf(stderr, "no case %s\n", name);
    shmem_global_exit(2);
}
