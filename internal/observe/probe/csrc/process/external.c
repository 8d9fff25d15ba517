// Records that a rank may have synchronised with others by means other than MPI (outside.c). Such a means may order the
// rank's later accesses: MPI-4.0, 12.7 lets processes synchronise as they like. One record is written between two MPI
// calls, from the first window on. If memory is shared, one record says that this may happen at any time.
//
// Runs: wherever the program calls such a function. The MPI library's calls come here too, and are ignored: they are
// made inside a call of the program or on a thread of the library.
//
// Never: locks, allocates or sets errno.
#include "outside/outside.h"
#include "process/process.h"

static bool listening; // there has been a window
static bool lasting;   // memory is shared with others
// The call after which it was recorded last.
static __thread uint32_t recorded __attribute__((tls_model("initial-exec"))) = UINT32_MAX;

static void tell(struct uk_thread *t, bool always)
{
    if (UK_UNLIKELY(t->poll.live)) // it comes after the polls
        uk_poll_forget(t, false);
    uint64_t *w = uk_begin(t, UK_DATA_EXTERNAL, UK_DATA, 0, UK_DATA_EXTERNAL_FIXED);
    w[UK_DATA_EXTERNAL_ALWAYS] = always;
    uk_commit(t);
}

void uk_external_begin(struct uk_thread *t)
{
    if (listening)
        return;
    listening = true;
    if (lasting)
        tell(t, true);
}

// The rank may synchronise with others now or, if always, at any time from now on.
static void external(bool always)
{
    struct uk_thread *t = &uk_self;
    const bool before = t->gate == UK_NEW && uk_process.life == UK_UNBORN;
    if (always && (before || t->gate == UK_OPEN))
        lasting = true;
    if (UK_LIKELY(!listening) || t->gate != UK_OPEN || (recorded == t->stamp && !always) || !uk_is_ours())
        return;
    t->gate = UK_INSIDE; // a signal handler's call is not recorded in between
    recorded = t->stamp;
    tell(t, always);
    t->gate = UK_OPEN;
}

__attribute__((constructor)) static void begin(void)
{
    uk_on_external = external;
}
