// What a rank may hear of others by ways that are not MPI's (outside.c). What it does after that may be ordered by it (MPI-4.0, 12.7 leaves it to the program how processes
// wait for each other), so that is told: once between two calls of MPI, from the first window on. Of memory that is shared it is told that something may come from there at
// any time.
//
// Runs: wherever the program calls such a function; in the MPI library as well, whose calls count for nothing, as they are made inside a call of the program's or on a thread of the
// library's own.
//
// Never: locks, allocates or sets errno.
#include "outside/outside.h"
#include "process/process.h"

static bool listening; // there has been a window
static bool lasting; // memory is shared with others
static __thread uint32_t told __attribute__((tls_model("initial-exec"))) = UINT32_MAX; // the call after which it was told last

static void tell(struct uk_thread *t, bool always)
{
    if (UK_UNLIKELY(t->poll.live)) // it comes after the polls
        uk_poll_forget(t, false);
    uint64_t *w = uk_begin(t, UK_DATA_HEARD, UK_DATA, 0, UK_DATA_HEARD_FIXED);
    w[UK_DATA_HEARD_ALWAYS] = always;
    uk_commit(t);
}

void uk_heard_begin(struct uk_thread *t)
{
    if (listening)
        return;
    listening = true;
    if (lasting)
        tell(t, true);
}

// Something may be heard now, or from now on at any time.
static void hear(bool always)
{
    struct uk_thread *t = &uk_self;
    const bool before = t->gate == UK_NEW && uk_process.life == UK_UNBORN;
    if (always && (before || t->gate == UK_OPEN))
        lasting = true;
    if (UK_LIKELY(!listening) || t->gate != UK_OPEN || (told == t->stamp && !always) || !uk_is_ours())
        return;
    t->gate = UK_INSIDE; // a signal handler's call is not recorded in between
    told = t->stamp;
    tell(t, always);
    t->gate = UK_OPEN;
}


__attribute__((constructor)) static void begin(void) { uk_hears = hear; }
