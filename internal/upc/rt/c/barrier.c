/*
 * Barriers (UPC 1.3, 6.6.1): each thread alternates between notify and wait. On one node the threads count themselves,
 * and the last one wakes the others. The first notify of a phase that has a value leaves it for the others to compare
 * theirs with. The barriers of the run-time go through the same counter, so that the one at the end of the program
 * never meets one of its middle.
 */
#include <stdio.h>
#include <string.h>

#include "rt.h"

enum { END = 1 << 16 }; /* in struct upcr_control.arrived */

/* The consensus of a phase: 0, or these parts. */
#define CONSENSUS(thread, value) (1UL << 63 | (uint64_t)(thread) << 32 | (uint32_t)(value))
#define VALUE_OF(c) ((int)(uint32_t)(c))
#define THREAD_OF(c) ((int)((c) >> 32 & (UPCR_MAX_THREADS - 1)))

static unsigned phase;      /* number of the current one, or the next if none is open */
static uint32_t generation; /* of the leader's counter, as it was when I arrived */
static int open;            /* between notify and wait */
static struct upcr_arrival given;

/* A phase's record is made ready for use again by the last thread of the next one: nobody looks at it any more then. */
static void last_arrives(uint32_t arrived)
{
    int ended = (int)(arrived / END), waiting = (int)(arrived % END);
    if (ended && waiting && upcr_watched)
        return; /* all wait forever, and that is reported */
    if (ended && waiting)
        upcr_some_have_ended(ended, waiting);
    atomic_store(&upcr_leader->phase[(phase + 1) % 2].consensus, 0);
    atomic_store(&upcr_leader->arrived, 0);
    atomic_fetch_add(&upcr_leader->generation, 1);
    upcr_wake(&upcr_leader->generation, &upcr_leader->sleepers);
}

static void agree(void)
{
    strcpy(upcr_self->site[phase % 2], given.site);
    uint64_t mine = CONSENSUS(upcr_thread, given.value), there = 0;
    _Atomic uint64_t *consensus = &upcr_leader->phase[phase % 2].consensus;
    if (atomic_compare_exchange_strong(consensus, &there, mine) || VALUE_OF(there) == given.value)
        return;
    struct upcr_arrival theirs = {.has = 1, .value = VALUE_OF(there)};
    strcpy(theirs.site, upcr_control_of(THREAD_OF(there))->site[phase % 2]);
    upcr_values_differ(upcr_thread, &given, THREAD_OF(there), &theirs);
}

static void near_notify(void)
{
    generation = atomic_load(&upcr_leader->generation);
    if (given.has)
        agree();
    uint32_t me = given.end ? END : 1, before = atomic_fetch_add(&upcr_leader->arrived, me);
    if ((int)(before / END + before % END) == upcr_threads - 1)
        last_arrives(before + me);
}

static int consensus_of_phase(int *thread, int *value)
{
    *thread = -1;
    if (!upcr_one_node)
        return upcr_far_consensus(value);
    uint64_t c = atomic_load(&upcr_leader->phase[phase % 2].consensus);
    *value = VALUE_OF(c);
    *thread = THREAD_OF(c);
    return c != 0;
}

static void notify(const struct upcr_arrival *mine)
{
    given = *mine;
    open = 1;
    upcr_before_write();
    if (upcr_one_node)
        near_notify();
    else
        upcr_far_notify(&given);
}

static void wait(void)
{
    if (upcr_one_node)
        upcr_sleep(&upcr_leader->generation, generation, &upcr_leader->sleepers,
                   &(struct upcr_wait){given.end ? UPCR_AT_END : UPCR_AT_BARRIER, -1, phase});
    else
        upcr_far_wait();
    upcr_before_read();
}

static void close_phase(void)
{
    phase++;
    open = 0;
}

static void describe(char site[UPCR_SITE], const char *file, int line)
{
    size_t n = strlen(file);
    snprintf(site, UPCR_SITE, "%s:%d", n > UPCR_SITE - 16 ? file + n - (UPCR_SITE - 16) : file, line);
}

void upcr_notify_at(int has, int value, const char *file, int line)
{
    if (open)
        upcr_fail("thread %d is at a upc_notify or upc_barrier (%s:%d) before the upc_wait of its last upc_notify; "
                  "hint: each upc_notify "
                  "is followed by one upc_wait",
                  upcr_thread, file, line);
    struct upcr_arrival mine = {.has = has != 0, .value = value};
    if (has || !upcr_one_node)
        describe(mine.site, file, line);
    upcr_record_notify();
    notify(&mine);
}

void upcr_wait_at(int has, int value, const char *file, int line)
{
    if (!open)
        upcr_fail("thread %d is at a upc_wait (%s:%d) without a upc_notify; hint: each upc_notify is followed by one "
                  "upc_wait",
                  upcr_thread, file, line);
    wait();
    upcr_record_wait();
    int thread, agreed;
    if (has && consensus_of_phase(&thread, &agreed) && agreed != value) {
        char by[32] = "the threads";
        if (thread >= 0)
            snprintf(by, sizeof by, "thread %d", thread);
        upcr_fail("barrier values differ: thread %d gave %d to upc_wait (%s:%d), %s gave %d to upc_notify; hint: all "
                  "threads give the same "
                  "value, or none",
                  upcr_thread, value, file, line, by, agreed);
    }
    close_phase();
}

void upcr_barrier_at(int has, int value, const char *file, int line)
{
    upcr_notify_at(has, value, file, line);
    wait();
    upcr_record_wait();
    close_phase();
}

void upcr_barrier_inner(void)
{
    notify(&(struct upcr_arrival){0});
    wait();
    close_phase();
}

void upcr_meet(void)
{
    if (!upcr_one_node)
        upcr_barrier_inner();
}

void upcr_barrier_end(void)
{
    if (open)
        upcr_fail("thread %d ends between upc_notify and upc_wait; hint: each upc_notify is followed by one upc_wait",
                  upcr_thread);
    atomic_store(&upcr_self->ended, 1);
    notify(&(struct upcr_arrival){.end = 1});
    wait();
    close_phase();
}

void upcr_values_differ(int thread, const struct upcr_arrival *mine, int other, const struct upcr_arrival *theirs)
{
    upcr_fail("barrier values differ: thread %d gave %d (%s), thread %d gave %d (%s); hint: all threads give the same "
              "value, or none",
              thread, mine->value, mine->site, other, theirs->value, theirs->site);
}

/* Says which threads have ended, as far as my node knows. */
void upcr_some_have_ended(int ended, int waiting)
{
    char list[64] = "";
    int n = 0;
    for (int t = 0; t < upcr_threads && n < 40; t++)
        if (upcr_near[t] && atomic_load(&upcr_control_of(t)->ended))
            n += snprintf(list + n, sizeof list - (size_t)n, "%s%d", n ? ", " : ": ", t);
    upcr_fail("%d of %d threads have ended (returned from main or called exit%s) while %d wait in a barrier or in a "
              "collective function; hint: "
              "all threads must go through the same barriers and collective functions",
              ended, upcr_threads, list, waiting);
}
