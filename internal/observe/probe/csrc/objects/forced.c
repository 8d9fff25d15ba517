// The plan's file, and which calls of a thread it names. See forced.h.
//
// Runs: uk_forced_init, which reads the plan, at MPI_Init; uk_forced_begin at a thread's first call; the others in
// recorded calls. uk_forced_end, at the end of a thread, only writes.
//
// Never: locks or allocates: what is counted is the thread's. MPI is asked about the communicator of the call itself,
// which need not be alive: if it is not, the call fails in the same way. Never delays a call but where the plan says
// so.
#define _GNU_SOURCE
#include "objects/forced.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static __thread struct uk_forced own;

// What the plan holds for this rank; in_force says that there is one.
static struct {
    bool in_force, all_sends;
    const struct uk_file_decision *decision, *decisions_end;
    const struct uk_file_send *send, *sends_end;
    const struct uk_file_outcome *outcome, *outcomes_end;
    const int32_t *positions; // of all outcomes
    uint64_t delay;           // before each message, in microseconds
} plan;

// Maps the file, NULL with errno set if that cannot be.
static const char *map(const char *path, size_t *size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd < 0)
        return NULL;
    void *at = MAP_FAILED;
    if (fstat(fd, &st) == 0) {
        *size = (size_t)st.st_size;
        at = *size > 0 ? mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    }
    int keep = errno;
    close(fd);
    errno = keep;
    return at == MAP_FAILED ? NULL : at ? at : "";
}

// Takes this rank's part; false if the file is not of the size that its header and index say.
static bool settle(const char *at, size_t size, int rank)
{
    const struct uk_file_header *h = (const void *)at;
    const struct uk_file_index *index = (const void *)(h + 1);
    size_t left = size - sizeof *h;
    if (h->size != size || left / sizeof *index <= h->ranks)
        return false;
    left -= (h->ranks + (size_t)1) * sizeof *index;
    // The whole of it, so that all ranks come to the same end.
    for (uint32_t r = 0; r <= h->ranks; r++) {
        struct uk_file_index last = {0}, at = index[r];
        if (r > 0)
            last = index[r - 1];
        else if (at.decision != 0 || at.send != 0 || at.outcome != 0)
            return false;
        if (at.decision < last.decision || at.send < last.send || at.outcome < last.outcome)
            return false;
        if (at.delay > (r < h->ranks ? UK_PLAN_MAX_DELAY : 0))
            return false;
    }
    struct uk_file_index first = index[rank], past = index[rank + 1], end = index[h->ranks];
    const struct uk_file_decision *decisions = (const void *)(index + h->ranks + 1);
    if (end.decision > left / sizeof *decisions)
        return false;
    left -= end.decision * sizeof *decisions;
    const struct uk_file_send *sends = (const void *)(decisions + end.decision);
    if (end.send > left / sizeof *sends)
        return false;
    left -= end.send * sizeof *sends;
    const struct uk_file_outcome *outcomes = (const void *)(sends + end.send);
    if (end.outcome > left / sizeof *outcomes)
        return false;
    left -= end.outcome * sizeof *outcomes;
    uint64_t next = 0;
    for (uint64_t i = 0; i < end.outcome; i++) {
        if (outcomes[i].first != next)
            return false;
        next += outcomes[i].done;
    }
    if (next * sizeof *plan.positions != left)
        return false;
    plan.decision = decisions + first.decision;
    plan.decisions_end = decisions + past.decision;
    plan.send = sends + first.send;
    plan.sends_end = sends + past.send;
    plan.outcome = outcomes + first.outcome;
    plan.outcomes_end = outcomes + past.outcome;
    plan.positions = (const void *)(outcomes + end.outcome);
    plan.all_sends = h->flags & UK_PLAN_SYNCHRONOUS;
    plan.delay = first.delay;
    return true;
}

static void say(struct uk_thread *t, const char *why)
{
    uint64_t length = strlen(why);
    struct uk_chunk chunks[] = {{&length, 1, UK_WORDS}, {why, length, UK_BYTES}};
    uk_long(t, UK_DATA_PLAN, UK_DATA, 0, chunks, 2);
}

void uk_forced_init(struct uk_thread *t, int rank, int ranks)
{
    const char *path = getenv(UK_ENV_PLAN);
    if (!path || !*path)
        return;
    char why[4500] = "";
    size_t size = 0;
    const char *at = map(path, &size);
    const struct uk_file_header *h = (const void *)at;
    if (!at)
        snprintf(why, sizeof why, "the plan %s cannot be read (%s)", path, strerror(errno));
    else if (size < sizeof *h || h->magic != UK_PLAN_MAGIC)
        snprintf(why, sizeof why, "%s is no plan", path);
    else if (h->version != UK_PLAN_VERSION)
        snprintf(why, sizeof why, "the plan %s has version %u, the probe reads version %u", path, h->version,
                 UK_PLAN_VERSION);
    else if (h->ranks != (uint32_t)ranks)
        snprintf(why, sizeof why, "the plan %s is for %u ranks, the job has %d", path, h->ranks, ranks);
    else if (!settle(at, size, rank))
        snprintf(why, sizeof why, "the plan %s is damaged: its parts do not fill its %zu bytes", path, size);
    say(t, why);
    plan.in_force = !*why;
    uk_forced_begin(t);
}

// The entries of a thread, which stand next to each other, in order.
#define OF_THREAD(first, past, index, from, to)             \
    do {                                                    \
        (from) = (first);                                   \
        while ((from) < (past) && (from)->thread < (index)) \
            (from)++;                                       \
        (to) = (from);                                      \
        while ((to) < (past) && (to)->thread == (index))    \
            (to)++;                                         \
    } while (0)

void uk_forced_begin(struct uk_thread *t)
{
    t->forced = plan.in_force && (plan.decision < plan.decisions_end || plan.send < plan.sends_end ||
                                  plan.outcome < plan.outcomes_end || plan.all_sends || plan.delay);
    if (!t->forced)
        return;
    own = (struct uk_forced){0};
    OF_THREAD(plan.decision, plan.decisions_end, t->index, own.decision, own.decisions_end);
    OF_THREAD(plan.send, plan.sends_end, t->index, own.send, own.sends_end);
    OF_THREAD(plan.outcome, plan.outcomes_end, t->index, own.outcome, own.outcomes_end);
}

void uk_forced_end(struct uk_thread *t)
{
    uint64_t decisions = own.missed + (uint64_t)(own.decisions_end - own.decision);
    uint64_t sends = (uint64_t)(own.sends_end - own.send);
    uint64_t outcomes = own.unmet + (uint64_t)(own.outcomes_end - own.outcome);
    if (!t->forced || decisions + sends + outcomes == 0)
        return;
    uint64_t *w = uk_begin(t, UK_DATA_UNUSED, UK_DATA, 0, UK_DATA_UNUSED_FIXED);
    w[UK_DATA_UNUSED_RECEIVES] = own.receives;
    w[UK_DATA_UNUSED_DECIDED] = decisions;
    w[UK_DATA_UNUSED_SENDS] = own.sends;
    w[UK_DATA_UNUSED_NAMED] = sends;
    w[UK_DATA_UNUSED_CHOICES] = own.choices;
    w[UK_DATA_UNUSED_UNMET] = outcomes;
    uk_commit(t);
}

// The ranks that may send on a communicator, 0 if that is unknown.
static int peers(MPI_Comm comm)
{
    typedef int ask(MPI_Comm, int *);
    int inter = 0, n = 0;
    if (((ask *)uk_sym("PMPI_Comm_test_inter"))(comm, &inter) != MPI_SUCCESS)
        return 0;
    if (((ask *)uk_sym(inter ? "PMPI_Comm_remote_size" : "PMPI_Comm_size"))(comm, &n) != MPI_SUCCESS)
        return 0;
    return n;
}

// The decision on the next receive, NULL if there is none.
static const struct uk_file_decision *next(void)
{
    bool decided = own.decision != own.decisions_end && own.decision->nth == own.receives;
    return decided ? own.decision : NULL;
}

// A source that the communicator does not have would be an error of the program's: the receive is left as it is.
static bool possible(const struct uk_file_decision *d, MPI_Comm comm)
{
    return d->source < peers(comm);
}

bool uk_forced_poll(MPI_Comm comm, int *source, int *tag)
{
    const struct uk_file_decision *d = next();
    if (!d || !possible(d, comm))
        return false;
    *source = d->source;
    if (d->tag >= 0)
        *tag = d->tag;
    return true;
}

void uk_forced_found(MPI_Comm comm)
{
    const struct uk_file_decision *d = next();
    if (d) {
        own.missed += !possible(d, comm);
        own.decision++;
    }
    own.receives++;
}

bool uk_forced_receive(MPI_Comm comm, int *source, int *tag)
{
    bool forced = uk_forced_poll(comm, source, tag);
    uk_forced_found(comm);
    return forced;
}

void uk_forced_tell(struct uk_thread *t, int position, int source, int tag)
{
    uint64_t *w = uk_begin(t, UK_DATA_FORCED, UK_DATA, 0, UK_DATA_FORCED_FIXED);
    w[UK_DATA_FORCED_POSITION] = (uint64_t)(int64_t)position;
    w[UK_DATA_FORCED_SOURCE] = (uint64_t)(int64_t)source;
    w[UK_DATA_FORCED_TAG] = (uint64_t)(int64_t)tag;
    uk_commit(t);
}

void uk_forced_delay(void)
{
    struct timespec left = {(time_t)(plan.delay / 1000000), (long)(plan.delay % 1000000) * 1000};
    while (plan.delay && nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

enum uk_send uk_forced_send(void)
{
    bool named = own.send != own.sends_end && own.send->nth == own.sends;
    bool buffered = named && own.send->flags & UK_PLAN_BUFFERED;
    if (named)
        own.send++;
    own.sends++;
    return buffered ? UK_BUFFERED : named || plan.all_sends ? UK_SYNCHRONOUS : UK_AS_CALLED;
}

void uk_forced_tell_buffered(struct uk_thread *t, int position)
{
    uint64_t *w = uk_begin(t, UK_DATA_BUFFERED, UK_DATA, 0, UK_DATA_BUFFERED_FIXED);
    w[UK_DATA_BUFFERED_POSITION] = (uint64_t)(int64_t)position;
    uk_commit(t);
}

// Says whether a call of that kind can report what the plan wants of it.
static bool can(enum uk_choice_kind kind, size_t n, const MPI_Request *requests, const struct uk_chosen *want)
{
    bool waits = kind == UK_WAITANY || kind == UK_WAITSOME, one = kind == UK_WAITANY || kind == UK_TESTANY;
    if (want->nothing)
        return !waits;
    if (one && want->n > 1)
        return false;
    MPI_Request null = MPI_REQUEST_NULL;
    for (uint32_t i = 0; i < want->n; i++)
        if (!requests || want->done[i] < 0 || (size_t)want->done[i] >= n || requests[want->done[i]] == null)
            return false;
    return kind != UK_TESTALL || want->n == 0 || want->n == n; // which reports all or nothing
}

void uk_forced_choice(struct uk_thread *t, enum uk_choice_kind kind, size_t n, const MPI_Request *requests,
                      struct uk_chosen *chosen)
{
    const struct uk_file_outcome *o = own.outcome;
    uint32_t nth = own.choices++;
    if (o == own.outcomes_end || o->nth != nth)
        return;
    own.outcome++;
    struct uk_chosen want = {true, o->flags & UK_PLAN_NOTHING, o->done, plan.positions + o->first};
    if (!can(kind, n, requests, &want)) {
        own.unmet++;
        return;
    }
    if (!want.nothing && t->poll.live) // this one is not like those before it: it has an Enter record
        uk_poll_forget(t, false);
    *chosen = want;
}

void uk_forced_unmet(void)
{
    own.unmet++;
}

void uk_forced_tell_choice(struct uk_thread *t, const struct uk_chosen *chosen)
{
    uint64_t n = chosen->n;
    struct uk_chunk chunks[] = {{&n, 1, UK_WORDS}, {chosen->done, n, UK_INTS}};
    uk_long(t, UK_DATA_OUTCOME, UK_DATA, 0, chunks, 2);
}
