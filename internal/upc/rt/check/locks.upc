/*
 * Locks (UPC 1.3, 7.2.4). Each thread tells which locks it holds and for which one it waits. A lock is in the list of
 * its holder only while it really holds it, and the wish of a thread is there as long as it waits and somewhat longer;
 * so whoever finds all of a chain in these lists at one moment has found threads that wait. A lock that is free is
 * taken with upc_lock_attempt, and nobody is looked at.
 */
#include <stdlib.h>

#include "inner.h"

strict shared unsigned long upck_want[THREADS];
strict shared unsigned long upck_tries[THREADS];
shared unsigned long upck_failures[THREADS];
strict shared unsigned long upck_top[THREADS];
strict shared[UPCK_HELD] unsigned long upck_held[UPCK_HELD * THREADS];
shared[UPCK_HELD] long upck_held_sites[UPCK_HELD * THREADS];

static unsigned long tried; /* the lock of the last failed attempts */
static double tried_since, looked;
static int tried_told;
static unsigned long *failures_before; /* of all threads, when a livelock was suspected */

/* A lock is identified by the place of its object. */
unsigned long upck_lock_id(shared const void *lock)
{
    shared void *p = (shared void *)lock;
    return (unsigned long)(upc_threadof(p) + 1) << 48 | (upc_addrfield(p) & 0xffffffffffffUL);
}

static size_t own(int index)
{
    return (size_t)MYTHREAD * UPCK_HELD + (size_t)index;
}

static int holds(unsigned long id)
{
    for (int i = 0; i < (int)upck_top[MYTHREAD]; i++)
        if (upck_held[own(i)] == id)
            return i;
    return -1;
}

int upck_find_holder(unsigned long id, int *index)
{
    for (int t = 0; t < THREADS; t++) {
        int top = (int)upck_top[t];
        for (int i = 0; i < top; i++)
            if (upck_held[(size_t)t * UPCK_HELD + (size_t)i] == id) {
                *index = i;
                return t;
            }
    }
    return -1;
}

/* Another thread may have freed one of those that this thread held. */
int upck_holds_any(void)
{
    int n = 0;
    for (int i = 0; upck_mine.held && i < (int)upck_top[MYTHREAD]; i++)
        n += upck_held[own(i)] != 0;
    upck_mine.held = n;
    return n;
}

/* Comes before each change of what others may see. */
static void move(void)
{
    upck_moves[MYTHREAD] = upck_moves[MYTHREAD] + 1;
}

static void hold(unsigned long id, const struct upck_site *site)
{
    int i = 0, top = (int)upck_top[MYTHREAD];
    while (i < top && upck_held[own(i)])
        i++;
    if (i == UPCK_HELD) {
        upck_mine.more = 1;
        return;
    }
    upck_held_sites[own(i)] = upck_place(site);
    upck_held[own(i)] = id;
    if (i == top)
        upck_top[MYTHREAD] = (unsigned long)top + 1;
    upck_mine.held++;
}

static void let_go(int index)
{
    move();
    upck_held[own(index)] = 0;
    upck_mine.held--;
}

static const struct upck_site *held_at(int thread, int index)
{
    return upck_site_at(upck_held_sites[(size_t)thread * UPCK_HELD + (size_t)index]);
}

static int held_already(const struct upck_site *site, const char *id, unsigned long lock)
{
    int i = holds(lock);
    if (i < 0)
        return 0;
    upck_wrong(site, id, UPCK_ERROR, 0, "ptr is a lock that this thread holds already, since %s",
               upck_spot(held_at(MYTHREAD, i)));
    return 1;
}

static int locking(const struct upck_site *site, shared void *lock, unsigned long id)
{
    upck_stop_trying();
    if (held_already(site, "LOCK-04", id))
        return 1;
    if (upc_lock_attempt((upc_lock_t *)lock))
        return 1;
    upck_set_status(UPCK_LOCKING, site, id);
    move();
    upck_want[MYTHREAD] = id;
    struct upck_chain *chain = upck_deadlock(0);
    if (chain)
        upck_stuck(chain);
    return 0;
}

int upck_locking(const struct upck_site *site, shared void *lock)
{
    if (upck_without & UPCK_NO_DEADLOCKS)
        return 0;
    int kept = upck_patience(), done = locking(site, lock, upck_lock_id(lock));
    upck_give_patience(kept);
    return done;
}

void upck_attempting(const struct upck_site *site, shared void *lock)
{
    if (!(upck_without & UPCK_NO_DEADLOCKS))
        held_already(site, "LATT-04", upck_lock_id(lock));
}

void upck_stop_trying(void)
{
    if (!tried)
        return;
    tried = 0;
    move();
    upck_tries[MYTHREAD] = 0;
}

/* Threads of the chain that only try to get a lock may do something else instead, and release one. Those that have
   tried again since the last look, a second ago, do not. */
static int all_go_on_trying(const struct upck_chain *c)
{
    int tries = 0, all = failures_before != NULL;
    if (!failures_before && !(failures_before = calloc((size_t)THREADS, sizeof *failures_before)))
        return 0;
    for (int i = c->from; i < c->n; i++) {
        int t = c->links[i].thread;
        if (!c->links[i].tries || t == MYTHREAD)
            continue;
        unsigned long now = upck_failures[t];
        all = all && now > failures_before[t] && failures_before[t];
        failures_before[t] = now;
        tries++;
    }
    return !tries || all;
}

static int all_endless(const struct upck_chain *c)
{
    for (int i = c->from; i < c->n; i++) {
        const struct upck_site *site = c->links[i].tries ? upck_site_at(upck_statuses[c->links[i].thread].site) : NULL;
        if (c->links[i].tries && !(site && site->endless))
            return 0;
    }
    return 1;
}

/* Threads that try until they succeed, and do nothing else, wait as in upc_lock. */
static void look_for_the_end(const struct upck_site *site, unsigned long id)
{
    struct upck_chain *chain = upck_certain() ? upck_deadlock(id) : NULL;
    if (chain && all_endless(chain))
        upck_livelock(chain, site, 0, 1);
    else if (upck_certain() && upck_all_stuck())
        upck_spun(site);
}

/* The lock could not be had again. That is no error as long as somebody may release it. */
static void failed(const struct upck_site *site, unsigned long id)
{
    double now = upck_now();
    *(unsigned long *)&upck_failures[MYTHREAD] += 1;
    if (id != tried) {
        upck_stop_trying();
        tried = id;
        tried_since = now;
        tried_told = 0;
        free(failures_before);
        failures_before = NULL;
        looked = now;
        upck_set_status(UPCK_TRYING, site, id);
        move();
        upck_tries[MYTHREAD] = id;
    }
    if (tried_told)
        return;
    if (site->endless && now - looked >= upck_seconds_between_looks()) {
        looked = now;
        look_for_the_end(site, id);
    }
    if (now - tried_since < upck_livelock_seconds)
        return;
    struct upck_chain *chain = upck_deadlock(id);
    if (!chain || !all_go_on_trying(chain)) {
        tried_since = now - upck_livelock_seconds + 1;
        return;
    }
    tried_told = 1;
    /* One of the threads of a cycle tells it. */
    for (int i = chain->from; chain->end == UPCK_ENDS_CYCLE && i < chain->n; i++)
        if (chain->links[i].tries && chain->links[i].thread < MYTHREAD)
            return;
    upck_livelock(chain, site, upck_livelock_seconds, 0);
}

static void locked(const struct upck_site *site, unsigned long id)
{
    upck_stop_trying();
    if (holds(id) >= 0) /* went on after an error */
        return;
    move();
    if (upck_want[MYTHREAD])
        upck_want[MYTHREAD] = 0;
    upck_lock_order(site, id);
    hold(id, site);
    upck_set_status(UPCK_RUNNING, site, 0);
}

void upck_locked(const struct upck_site *site, shared void *lock, int got)
{
    if (upck_without & UPCK_NO_DEADLOCKS)
        return;
    int kept = upck_patience();
    if (got)
        locked(site, upck_lock_id(lock));
    else
        failed(site, upck_lock_id(lock));
    upck_give_patience(kept);
}

static void unlocking(const struct upck_site *site, unsigned long id)
{
    int i = holds(id), index;
    upck_stop_trying();
    if (i >= 0) {
        let_go(i);
        return;
    }
    if (upck_mine.more || upck_unchecked())
        return;
    int holder = upck_find_holder(id, &index);
    if (holder >= 0)
        upck_wrong(site, "UNLK-05", UPCK_ERROR, 0, "ptr is a lock that thread %d holds, since %s", holder,
                   upck_spot(held_at(holder, index)));
    else
        upck_wrong(site, "UNLK-04", UPCK_ERROR, 0, "ptr is a lock that this thread does not hold");
}

void upck_unlocking(const struct upck_site *site, shared void *lock)
{
    if (upck_without & UPCK_NO_DEADLOCKS)
        return;
    int kept = upck_patience();
    unlocking(site, upck_lock_id(lock));
    upck_give_patience(kept);
}

void upck_released(shared void *lock)
{
    int i = lock ? holds(upck_lock_id(lock)) : -1;
    if (i >= 0)
        let_go(i);
}

void upck_lock_made(shared void *lock, const struct upck_site *site, int collective)
{
    (void)lock;
    (void)site;
    (void)collective;
}

/*
 * Nobody holds a lock that is freed (UPC 1.3, 7.2.4). Its holder is in no chain: if somebody waits for the lock, that
 * has been reported.
 */
static void forget(int holder, int index)
{
    if (holder == MYTHREAD)
        let_go(index);
    else
        upck_held[(size_t)holder * UPCK_HELD + (size_t)index] = 0;
}

void upck_lock_gone(shared void *lock)
{
    upck_lock_order_ends();
    int index, holder = lock && !(upck_without & UPCK_NO_DEADLOCKS) ? upck_find_holder(upck_lock_id(lock), &index) : -1;
    if (holder >= 0)
        forget(holder, index);
}

/* A thread that waits for a lock which another one holds waits forever if the lock is freed. */
void upck_lock_freed(shared void *lock, const struct upck_site *site, int collective)
{
    unsigned long id = upck_lock_id(lock);
    int index, holder = upck_without & UPCK_NO_DEADLOCKS ? -1 : upck_find_holder(id, &index);
    upck_lock_order_ends();
    if (holder < 0)
        return;
    for (int t = 0; t < THREADS; t++)
        if (t != MYTHREAD && t != holder && upck_want[t] == id) {
            upck_wrong(site, collective ? "ALFR-08" : "LFRE-04", UPCK_ERROR, 0,
                       "ptr is a lock that thread %d waits for in upc_lock", t);
            break;
        }
    if (holder == MYTHREAD) {
        upck_wrong(site, collective ? "ALFR-09" : "LFRE-05", UPCK_WARNING, 0,
                   "ptr is a lock that this thread holds, since %s", upck_spot(held_at(holder, index)));
        forget(holder, index);
    } else if (!collective) {
        upck_wrong(site, "LFRE-06", UPCK_WARNING, 0, "ptr is a lock that thread %d holds, since %s", holder,
                   upck_spot(held_at(holder, index)));
        forget(holder, index);
    }
}

void upck_still_held(const struct upck_site *site)
{
    for (int i = 0; upck_mine.held && i < (int)upck_top[MYTHREAD]; i++)
        if (upck_held[own(i)]) {
            const struct upck_site *taken = held_at(MYTHREAD, i);
            upck_wrong(site, "ENDT-04", UPCK_WARNING, -1,
                       taken->nargs ? "it still holds the lock `%s` of %s" : "it still holds a lock%s of %s",
                       taken->nargs ? taken->args[0].text : "", upck_spot(taken));
        }
}

void upck_waited_for_at_end(void)
{
    struct upck_chain *chain = THREADS > 1 && upck_holds_any() ? upck_waited_for(UPCK_HAS_ENDED) : NULL;
    if (chain)
        upck_stuck(chain);
}
