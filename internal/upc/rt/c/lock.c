/*
 * Locks (UPC 1.3, 7.2.4) as queues (Mellor-Crummey and Scott, TOCS 1991): a thread waits on its own word until the one
 * before it hands the lock over, so that locks are given in the order in which they were asked for. Other files of the
 * run-time use the same locks. Null strict accesses are implied at the end of locking and at the start of unlocking.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rt.h"

enum { WAITING, GRANTED, ASLEEP }; /* struct upcr_queued.granted */
enum { LOOKS = 1000 };
enum { FREED = 1 }; /* in the place of a tail: no place is there */

#define FIELD(p, type, field) ((p) + offsetof(type, field))

/* The locks that this thread holds or waits for, each with its place in the lock's queue. The first places are in
   the control data; a thread with more locks takes memory of the heap for them, which it keeps. */
static struct hold {
    upcr_ptr lock, place;
} first_holds[UPCR_QUEUED], *holds = first_holds;
static int used, most = UPCR_QUEUED;

static struct upcr_queued *memory_of(upcr_ptr place)
{
    return upcr_own(place);
}

static void let_go(struct hold *h)
{
    struct hold gone = *h;
    *h = holds[--used];
    holds[used] = (struct hold){0, gone.place};
}

/* A lock may be freed while it is held, by any thread (UPC 1.3, 7.2.4). Whoever frees it takes it out of its
   holder's place, so that the holder does not take another lock at the same address for it. */
static int is_freed(const struct hold *h)
{
    return atomic_load_explicit(&memory_of(h->place)->lock, memory_order_relaxed) == 0;
}

static struct hold *find(upcr_ptr lock)
{
    for (int i = used - 1; i >= 0; i--) {
        if (!UPCR_EQUAL(holds[i].lock, lock))
            continue;
        if (!is_freed(&holds[i]))
            return &holds[i];
        let_go(&holds[i]);
    }
    return NULL;
}

static void let_go_of_freed(void)
{
    for (int i = used - 1; i >= 0; i--)
        if (is_freed(&holds[i]))
            let_go(&holds[i]);
}

/* The heap is guarded by locks as well, two at a time, so it is asked for memory while some places are left. */
static void more_places(void)
{
    struct hold *more = malloc(2 * (size_t)most * sizeof *more);
    if (!more)
        upcr_fail("thread %d has no memory for more than %d locks at a time", upcr_thread, most);
    upcr_ptr memory = upcr_alloc_own((unsigned long)most * sizeof(struct upcr_queued), "upc_lock");
    for (int i = 0; i < most; i++) {
        more[i] = holds[i];
        more[most + i] = (struct hold){0, memory + (unsigned long)i * sizeof(struct upcr_queued)};
    }
    if (holds != first_holds)
        free(holds);
    holds = more;
    most *= 2;
}

static int is_inner(upcr_ptr lock)
{
    return upcr_offset(lock) >= UPCR_CONTROL_OFFSET;
}

/* The next unused place, ready for a queue. It counts as used after hold(). */
static upcr_ptr ready_place(upcr_ptr lock)
{
    if (!is_inner(lock) && used >= most - 8)
        let_go_of_freed();
    if (!is_inner(lock) && used >= most - 8)
        more_places();
    struct hold *h = &holds[used];
    if (!h->place)
        h->place = UPCR_CONTROL(upcr_thread, queued) + (unsigned long)used * sizeof(struct upcr_queued);
    atomic_store_explicit(&memory_of(h->place)->next, 0, memory_order_relaxed);
    atomic_store_explicit(&memory_of(h->place)->granted, WAITING, memory_order_relaxed);
    atomic_store_explicit(&memory_of(h->place)->lock, upcr_resetphase(lock), memory_order_relaxed);
    return h->place;
}

static void hold(upcr_ptr lock)
{
    holds[used++].lock = lock;
}

static void wait_near(struct upcr_queued *me, const struct upcr_wait *what)
{
    const struct timespec limit = UPCR_A_WHILE;
    for (int i = 0; upcr_cores >= upcr_node_count && i < LOOKS; i++)
        if (atomic_load_explicit(&me->granted, memory_order_acquire) == GRANTED)
            return;
    uint64_t waiting = WAITING;
    if (!atomic_compare_exchange_strong(&me->granted, &waiting, ASLEEP))
        return;
    while (atomic_load(&me->granted) == ASLEEP)
        if (syscall(SYS_futex, &me->granted, FUTEX_WAIT, ASLEEP, upcr_watched ? &limit : NULL, NULL, 0) &&
            errno == ETIMEDOUT && atomic_load(&me->granted) == ASLEEP)
            upcr_still_waits(what);
    upcr_waits_no_more();
}

static void wait_far(struct upcr_queued *me, const struct upcr_wait *what)
{
    unsigned step = 0;
    while (atomic_load(&me->granted) != GRANTED)
        upcr_pause_for(&step, what);
    upcr_waits_no_more();
}

static void hand_to(upcr_ptr next)
{
    upcr_ptr granted = FIELD(next, struct upcr_queued, granted);
    if (upcr_word_swap(granted, GRANTED) == ASLEEP)
        syscall(SYS_futex, upcr_at(granted), FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void freed(const char *function)
{
    upcr_fail(
        "thread %d calls %s for a lock that was freed; hint: a lock is freed after a barrier that follows its last use",
        upcr_thread, function);
}

void upcr_acquire(upcr_ptr lock)
{
    upcr_ptr place = ready_place(lock);
    hold(lock);
    upcr_ptr before = upcr_word_swap(FIELD(lock, struct upcr_lock, tail), place);
    if (before == FREED)
        freed("upc_lock");
    if (before) {
        upcr_word_store(FIELD(before, struct upcr_queued, next), place);
        const struct upcr_wait what = {UPCR_AT_LOCK, (int)upcr_threadof(before), 0};
        if (upcr_one_node)
            wait_near(memory_of(place), &what);
        else
            wait_far(memory_of(place), &what);
    }
    upcr_before_read();
}

int upcr_try(upcr_ptr lock)
{
    upcr_ptr tail = FIELD(lock, struct upcr_lock, tail), before = upcr_here(lock) ? upcr_word_load(tail) : 0;
    if (!before)
        before = upcr_word_cas(tail, 0, ready_place(lock));
    if (before == FREED)
        freed("upc_lock_attempt");
    if (before)
        return 0;
    hold(lock);
    upcr_before_read();
    return 1;
}

void upcr_release(upcr_ptr lock)
{
    struct hold *h = find(lock);
    upcr_ptr place = h->place;
    _Atomic uint64_t *next_word = &memory_of(place)->next;
    upcr_before_write();
    upcr_ptr next = atomic_load(next_word);
    if (!next && upcr_word_cas(FIELD(lock, struct upcr_lock, tail), place, 0) != place)
        for (unsigned step = 0; !(next = atomic_load(next_word));)
            upcr_pause(&step);
    let_go(h);
    if (next)
        hand_to(next);
}

int upcr_holds(upcr_ptr lock)
{
    return find(lock) != NULL;
}

static int in_heap(upcr_ptr p)
{
    return upcr_threadof(p) < (unsigned long)upcr_threads && upcr_offset(p) >= upcr_heap_low &&
           upcr_offset(p) < upcr_heap_high && upcr_offset(p) % UPCR_LINE == 0;
}

static int is_place(upcr_ptr p)
{
    unsigned long queued = upcr_offset(p) - upcr_offset(UPCR_CONTROL(0, queued));
    return in_heap(p) || (upcr_threadof(p) < (unsigned long)upcr_threads && queued < sizeof upcr_self->queued &&
                          queued % UPCR_LINE == 0);
}

/* What is not a lock, or is already freed, has other words in the place of a tail. While races are looked for, a
   lock works as long as its memory exists. A thread that takes it while it is being freed is reported as a race, and
   the program ends normally. */
void upcr_forget(upcr_ptr lock)
{
    upcr_ptr tail = FIELD(lock, struct upcr_lock, tail), place = in_heap(lock) ? upcr_word_load(tail) : FREED;
    while (!upcr_recording && (!place || is_place(place))) {
        upcr_ptr before = place;
        place = upcr_word_cas(tail, before, FREED);
        if (place == before)
            break;
    }
    if (place && is_place(place))
        upcr_word_cas(FIELD(place, struct upcr_queued, lock), upcr_resetphase(lock), 0);
}
