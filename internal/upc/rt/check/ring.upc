/*
 * Collective operations. Each thread writes a record of its n-th operation and then its counter; it looks at the
 * counters of its two neighbours in the ring of threads and compares its record with those that have come to n. Strict
 * accesses have one order (UPC 1.3, 5.1.2.3), and each of two neighbours reads the other's counter after it has written
 * its own: so at least one of them sees the other's record. If all neighbours agree, all threads do. A slot is used
 * again when both neighbours have begun a later operation, hence have compared what was in it.
 */
#include <string.h>

#include "inner.h"

strict shared unsigned long upck_count[THREADS];
strict shared unsigned long upck_blocked[THREADS];
strict shared unsigned long upck_ahead[THREADS];
strict shared unsigned long upck_moves[THREADS];
shared[UPCK_SLOTS] struct upck_record upck_records[UPCK_SLOTS * THREADS];
shared struct upck_status upck_statuses[THREADS];

unsigned long upck_mix(unsigned long hash, unsigned long word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15UL;
    return hash ^ hash >> 29;
}

struct upck_record *upck_own_record(unsigned long n)
{
    return (struct upck_record *)&upck_records[(size_t)MYTHREAD * UPCK_SLOTS + n % UPCK_SLOTS];
}

/* The program may have written over it. */
static int is_sound(const struct upck_record *r)
{
    return upck_function(r->op) && r->nvalues >= 0 && r->nvalues <= UPCK_VALUES && upck_site_at(r->site);
}

int upck_record_of(int thread, unsigned long n, struct upck_record *to)
{
    if (upck_count[thread] <= n)
        return 0;
    upc_memget(to, &upck_records[(size_t)thread * UPCK_SLOTS + n % UPCK_SLOTS], sizeof *to);
    return to->n == n && upck_count[thread] <= n + UPCK_SLOTS && is_sound(to);
}

void upck_set_status(int doing, const struct upck_site *site, unsigned long lock)
{
    struct upck_status *mine = (struct upck_status *)&upck_statuses[MYTHREAD];
    mine->doing = doing;
    mine->lock = lock;
    if (site)
        mine->site = upck_place(site);
}

/* A neighbour is so far behind that it may still need the slot. Others may wait for this thread's locks meanwhile. */
static void wait_for(int neighbour, unsigned long count, const struct upck_site *site, unsigned long *seen)
{
    unsigned step = 0;
    if (*seen >= count || (*seen = upck_count[neighbour]) >= count)
        return;
    upck_give_patience(0); /* now it does wait */
    upck_set_status(UPCK_WAITS_AHEAD, site, 0);
    upck_moves[MYTHREAD] = upck_moves[MYTHREAD] + 1;
    upck_ahead[MYTHREAD] = UPCK_AHEAD(neighbour, count);
    if (upck_count[neighbour] < count) {
        struct upck_chain *chain = upck_deadlock(0);
        if (chain)
            upck_stuck(chain);
    }
    while (upck_count[neighbour] < count)
        upck_pause(&step);
    upck_moves[MYTHREAD] = upck_moves[MYTHREAD] + 1;
    upck_ahead[MYTHREAD] = 0;
    upck_set_status(UPCK_RUNNING, NULL, 0);
    upck_patience();
}

static void set_blocked(unsigned long operation)
{
    *(relaxed shared unsigned long *)&upck_blocked[MYTHREAD] = operation;
}

static int left(void)
{
    return (MYTHREAD + THREADS - 1) % THREADS;
}

static int right(void)
{
    return (MYTHREAD + 1) % THREADS;
}

static void compare(int neighbour, unsigned long n)
{
    struct upck_record theirs;
    /* The head of the record is enough while all agree. */
    upc_memget(&theirs, &upck_records[(size_t)neighbour * UPCK_SLOTS + n % UPCK_SLOTS],
               offsetof(struct upck_record, first_forall));
    const struct upck_record *mine = &upck_mine.last;
    if (theirs.n != n)
        return;
    if (theirs.hash != mine->hash || (theirs.foralls != mine->foralls && theirs.foralls && mine->foralls))
        upck_mismatch(neighbour, n);
}

static unsigned long count_of(int thread)
{
    return *(relaxed shared unsigned long *)&upck_count[thread];
}

/*
 * The count of this thread was strict, so those of the neighbours may be relaxed: they are fetched at a time, and then
 * their records.
 */
static void compare_with_neighbours(unsigned long n)
{
    int r = right(), l = left();
    unsigned long of_right = count_of(r), of_left = count_of(l);
    upc_fence;
    if (of_right > n)
        compare(r, n);
    if (THREADS > 2 && of_left > n)
        compare(l, n);
}

/* upc_barrier is upc_notify and upc_wait (UPC 1.3, 6.6.1), so one thread may have the one and another the other. */
static int kind_of(int op)
{
    return op == UPCK_OP_BARRIER ? UPCK_OP_NOTIFY : op;
}

static unsigned long hash_of(const struct upck_record *r)
{
    unsigned long h = upck_mix(0, (unsigned long)kind_of(r->op));
    for (int i = 0; i < r->nvalues; i++) {
        const struct upck_value *v = &r->values[i];
        h = upck_mix(h, (unsigned long)(v->arg * 8 + v->kind));
        for (int k = 0; k < 3; k++)
            if (v->kind != UPCK_SHARED || k != 1) /* == does not look at phases */
                h = upck_mix(h, (unsigned long)v->bits[k]);
    }
    return h;
}

void upck_record_for(struct upck_record *r, int op, int sync)
{
    memset(r, 0, offsetof(struct upck_record, values));
    r->op = op;
    r->sync = sync;
}

/* Carries out the n-th operation's part in the protocol. */
static void take_part(const struct upck_site *site, struct upck_record *r, unsigned long n)
{
    static unsigned long seen_right, seen_left;
    upck_stop_trying();
    r->n = n;
    r->site = upck_place(site);
    upck_take_foralls(r);
    r->hash = hash_of(r);
    if (THREADS > 1 && n + 2 > UPCK_SLOTS) {
        wait_for(right(), n + 2 - UPCK_SLOTS, site, &seen_right);
        wait_for(left(), n + 2 - UPCK_SLOTS, site, &seen_left);
    }
    memcpy(&upck_mine.last, r, UPCK_USED(r));
    memcpy(upck_own_record(n), r, UPCK_USED(r));
    upck_set_status(r->op == UPCK_OP_END ? UPCK_ENDED : UPCK_IN, site, 0);
    upck_mine.blocked = r->sync;
    if (r->sync)
        set_blocked(n + 1);
    if (r->has && upck_valued[n % UPCK_SLOTS] != n + 1)
        upck_valued[n % UPCK_SLOTS] = n + 1;
    upck_mine.n = n + 1;
    upck_count[MYTHREAD] = n + 1;
    if (r->op == UPCK_OP_END)
        upck_blocked[MYTHREAD] = UPCK_HAS_ENDED; /* not before: who is ahead waits for the count */
    if (THREADS == 1)
        return;
    compare_with_neighbours(n);
    /* This may be relaxed for the same reason. */
    if (kind_of(r->op) == UPCK_OP_NOTIFY &&
        (r->has || *(relaxed shared[] unsigned long *)&upck_valued[n % UPCK_SLOTS] == n + 1))
        upck_compare_values(n);
    if (r->sync && upck_holds_any()) {
        struct upck_chain *chain = upck_waited_for(n);
        if (chain)
            upck_stuck(chain);
    }
}

void upck_begin(const struct upck_site *site, struct upck_record *r)
{
    unsigned long n = upck_mine.n;
    upck_mine.inside = 1;
    if (upck_without & UPCK_NO_DEADLOCKS) {
        upck_mine.n = n + 1;
        return;
    }
    int kept = upck_patience();
    take_part(site, r, n);
    upck_give_patience(kept);
}

/* It has a number, so that all threads count the same operations, and no record. */
void upck_skip(void)
{
    struct upck_record none;
    upck_take_foralls(&none);
    upck_mine.n++;
    if (!(upck_without & UPCK_NO_DEADLOCKS))
        upck_count[MYTHREAD] = upck_mine.n;
}

unsigned long upck_number(void)
{
    return upck_mine.n;
}

void upck_done(void)
{
    upck_mine.inside = 0;
    if (upck_mine.blocked)
        set_blocked(0);
    upck_mine.blocked = 0;
    upck_set_status(UPCK_RUNNING, NULL, 0);
}
