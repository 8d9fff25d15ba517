// Two ranks, or two threads of a rank, are made to meet at two calls, in a run that is to confirm what was found in
// another one (observe/rendezvous).
//
// Runs: at the beginning of each call of MPI, or after its Enter record, in such runs only.
//
// Never: holds a thread for longer than the bounds of meet.h, or after MPI has got the call.
#define _GNU_SOURCE
#include "process/process.h"
#include "process/meet.h"
#include <errno.h>

void uk_meet_init(const char *session, int rank)
{
    uk_meet_open(session, rank);
    if (uk_meet)
        uk_process.meeting = uk_meet->together ? UK_MEETS_INSIDE : UK_MEETS;
}

static __thread void *inside; // the place of the call that this thread begins

void uk_meet_call(void *ra)
{
    inside = ra;
    if (uk_process.meeting != UK_MEETS)
        return;
    int keep = errno;
    uk_meet_at((uint64_t)(uintptr_t)ra);
    errno = keep;
}

// Waits, for a bounded time, until the agent has read this thread's records: it sees that the other thread's call is not
// over at that moment.
static void await_reader(struct uk_thread *t)
{
    const struct timespec nap = {0, UK_MEET_NAP};
    for (uint64_t end = uk_meet_milliseconds() + UK_MEET_SEEN;
         __atomic_load_n(&t->ring->tail, __ATOMIC_ACQUIRE) != t->head && uk_meet_milliseconds() < end;)
        nanosleep(&nap, NULL);
}

void uk_meet_inside(struct uk_thread *t)
{
    int keep = errno;
    uk_meet_at((uint64_t)(uintptr_t)inside);
    if (uk_meet_state() == UK_MEET_MET && !uk_meet_held()) {
        await_reader(t);
        uk_meet_turn(UK_MEET_MET, UK_MEET_PASSED);
    }
    errno = keep;
}
