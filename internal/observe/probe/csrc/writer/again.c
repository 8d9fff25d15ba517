#pragma GCC optimize("O2")
// Objects made again: see again.h. A making is known by its function, call site and arguments, and by the handle that
// it got. The first time, the records of the calls are written; the second time as well, and then a UK_DATA_KNOWN
// record that gives the making a number; from the third time on, a UK_DATA_AGAIN record with that number. That a
// datatype was made is recorded when it is committed, as it is of no use before, and that it was freed when the next
// one is made, which mostly gets its handle. Whatever comes between that could show the difference has both recorded
// first.
//
// A thread knows what its own calls make and free, so all this is done only while no other thread calls MPI.
//
// Runs: in calls that make, commit and free objects, or ask a question, and where again.h says that something is
// recorded first.
//
// Never: allocates but by mmap, when a ring is made; locks; or calls what the program may have replaced. A jump may
// leave a call at any instruction. An object that was made is then recorded twice, which makes no difference, and one
// that was freed is perhaps not recorded.
#include "writer/again.h"
#include <string.h>
#include <sys/mman.h>

// What the thread owes, if anything.
enum { NOTHING, MADE, LEARNS };

void uk_again_create(struct uk_thread *t)
{
    t->again = NULL;
    t->owes = NOTHING;
    memset(t->parked, 0, sizeof t->parked);
    if (t->control->fold == 0 || uk_stamps.shared)
        return;
    t->again = uk_pages(sizeof *t->again);
    if (t->again)
        t->again->time = 1;
}

void uk_again_leave(struct uk_thread *t)
{
    struct uk_again *a = t->again;
    if (!a)
        return;
    t->again = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); // a signal handler must not find memory that is gone
    munmap(a, sizeof *a);
}

// What is remembered, NULL where nothing is to be.
static inline struct uk_again *again_of(const struct uk_thread *t)
{
    return uk_stamps.shared ? NULL : t->again;
}

static inline uint64_t mixed(uint64_t h)
{
    return h * 0x9e3779b97f4a7c15u;
}

// Six bits.
static inline unsigned hash_of(const struct uk_making *m)
{
    uint64_t h = mixed(m->id ^ m->site);
    for (unsigned i = 0; i < m->n; i++)
        h = mixed((h ^ h >> 29) + m->words[i]);
    return (unsigned)(h >> 58);
}

static inline bool same(const struct uk_making *a, const struct uk_making *b)
{
    uint64_t differs = (a->id ^ b->id) | (a->site ^ b->site);
    for (unsigned i = 0; i < b->n; i++)
        differs |= a->words[i] ^ b->words[i];
    return !differs;
}

// The making like this one, if it is in that state at least, and has made what has that handle; 0 stands for whatever.
// NULL if there is none.
static struct uk_known *find(struct uk_again *a, const struct uk_making *m, int state, uint64_t handle)
{
    struct uk_known *k = a->known + m->hash * UK_AGAIN_WAYS;
    for (unsigned i = 0; i < UK_AGAIN_WAYS; i++, k++)
        if ((int)k->state >= state && (handle == 0 || k->made[0] == handle) && same(&k->by, m))
            return k;
    return NULL;
}

static inline unsigned place_of(uint64_t handle)
{
    return (unsigned)(mixed(handle) >> 58);
}

static void live(struct uk_again *a, const struct uk_known *k)
{
    const unsigned at = place_of(k->made[0]);
    a->live[at].handle = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    a->live[at].known = k;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    a->live[at].handle = k->made[0];
}

_Static_assert(UK_AGAIN_LIVE == 64 && UK_AGAIN_SETS == 64 && UK_AGAIN_ASKED == 64, "hash values are cut to six bits");

// Writes the record of a call that gives nothing back, before the one in hand.
static void tell_call(struct uk_thread *t, const struct uk_making *m, unsigned n)
{
    uint64_t *w = uk_begin(t, m->id, UK_ENTER, m->site, n);
    memcpy(w, m->words, n * sizeof *w);
    uk_commit(t);
    uk_call.stamp = t->stamp; // the Enter record of the call in hand is still to come
}

// So many more calls, or fewer, are not recorded.
static void untold(struct uk_thread *t, int64_t calls)
{
    __atomic_store_n(&t->ring->untold, t->ring->untold + (uint64_t)calls, __ATOMIC_RELEASE);
}

static void tell_freed(struct uk_thread *t, unsigned kind)
{
    const uint64_t handle = t->parked[kind];
    if (handle == 0)
        return;
    const struct uk_making call = {
        .id = t->again->freed[kind].id, .site = t->again->freed[kind].site, .words = {handle}};
    t->parked[kind] = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    untold(t, -1);
    tell_call(t, &call, 1);
    uk_returned(t);
}

void uk_again_flush(struct uk_thread *t)
{
    for (unsigned kind = 0; kind < UK_AGAIN_KINDS; kind++)
        tell_freed(t, kind);
}

void uk_again_pay(struct uk_thread *t)
{
    if (t->owes == MADE) {
        const struct uk_known *k = t->again->last;
        tell_freed(t, k->by.kind);
        tell_call(t, &k->by, k->by.n);
        uint64_t *w = uk_begin(t, k->by.id, UK_EXIT, 0, 2);
        memcpy(w, k->made, sizeof k->made);
        uk_commit(t);
    }
    t->owes = NOTHING;
}

void uk_again_end(struct uk_thread *t)
{
    if (t->owes != NOTHING)
        uk_again_pay(t);
    uk_again_flush(t);
}

bool uk_again_known(struct uk_thread *t, struct uk_making *m)
{
    struct uk_again *a = again_of(t);
    if (!a)
        return false;
    m->hash = hash_of(m);
    return find(a, m, UK_TOLD, 0) != NULL;
}

_Static_assert(UK_DATA_KNOWN_NUMBER == UK_DATA_AGAIN_NUMBER && UK_DATA_KNOWN_HANDLE == UK_DATA_AGAIN_FREED &&
                   UK_DATA_KNOWN_FUNC == UK_DATA_AGAIN_FUNC && UK_DATA_KNOWN_FIXED == UK_DATA_AGAIN_FIXED,
               "Known and Again records have the same words");

// A record of what is known: a Known or an Again one, with its handle and function.
static void tell(struct uk_thread *t, unsigned id, uint64_t site, const struct uk_known *k, uint64_t handle,
                 uint64_t func)
{
    if (t->poll.live)
        uk_poll_forget(t, false);
    uint64_t *w = uk_begin(t, id, UK_DATA, site, UK_DATA_KNOWN_FIXED);
    w[UK_DATA_KNOWN_NUMBER] = (uint64_t)(k - t->again->known);
    w[UK_DATA_KNOWN_HANDLE] = handle;
    w[UK_DATA_KNOWN_FUNC] = func;
    uk_commit(t);
}

static void tell_again(struct uk_thread *t, struct uk_again *a, const struct uk_known *k)
{
    const unsigned kind = k->by.kind;
    const uint64_t freed = t->parked[kind];
    t->parked[kind] = 0;
    live(a, k);
    if (freed)
        untold(t, -1);
    tell(t, UK_DATA_AGAIN, freed ? a->freed[kind].site : 0, k, freed, freed ? a->freed[kind].id : 0);
}

// From now on the thread owes something of what was made last.
static void owe(struct uk_thread *t, struct uk_again *a, struct uk_known *k, unsigned what)
{
    a->last = k;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->owes = what;
}

bool uk_again_made(struct uk_thread *t, const struct uk_making *m, uint64_t handle)
{
    struct uk_again *a = again_of(t);
    struct uk_known *k = a && handle != 0 ? find(a, m, UK_TOLD, handle) : NULL;
    if (!k)
        return false;
    if (m->kind == UK_AGAIN_TYPES)
        owe(t, a, k, MADE);
    else
        tell_again(t, a, k);
    return true;
}

bool uk_again_seen(struct uk_thread *t, const struct uk_making *m)
{
    struct uk_again *a = again_of(t);
    return a && find(a, m, UK_SEEN_ONCE, 0) != NULL;
}

// Takes in that the records of a making were written, all of them.
static void learned(struct uk_thread *t, struct uk_again *a, struct uk_known *k, uint64_t site)
{
    live(a, k);
    if (k->state == UK_SEEN_ONCE)
        tell(t, UK_DATA_KNOWN, site, k, k->made[0], k->by.id);
    k->state = k->state == UK_NOT_SEEN ? UK_SEEN_ONCE : UK_TOLD;
}

void uk_again_learn(struct uk_thread *t, const struct uk_making *m, const uint64_t made[2])
{
    struct uk_again *a = again_of(t);
    if (!a)
        return;
    struct uk_known *k = made[0] != 0 ? find(a, m, UK_SEEN_ONCE, made[0]) : NULL;
    if (!k) {
        k = &a->known[m->hash * UK_AGAIN_WAYS + a->turn[m->hash]++ % UK_AGAIN_WAYS];
        if (k->state == UK_TOLD)
            a->time++; // its number may stand in questions
        k->state = UK_NOT_SEEN;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        k->by = *m;
        memcpy(k->made, made, sizeof k->made);
    }
    if (m->kind == UK_AGAIN_TYPES)
        owe(t, a, k, LEARNS);
    else
        learned(t, a, k, 0);
}

bool uk_again_commits(struct uk_thread *t, uint64_t handle)
{
    if (t->owes == MADE && t->again->last->made[0] == handle)
        return true;
    if (t->owes == MADE || (t->owes == LEARNS && t->again->last->made[0] != handle))
        uk_again_pay(t);
    return false;
}

void uk_again_committed(struct uk_thread *t, uint64_t site)
{
    struct uk_again *a = t->again;
    if (t->owes == MADE)
        tell_again(t, a, a->last);
    else if (t->owes == LEARNS)
        learned(t, a, a->last, site);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->owes = NOTHING;
}

bool uk_again_frees(struct uk_thread *t, uint64_t handle)
{
    struct uk_again *a = again_of(t);
    return a && handle != 0 && a->live[place_of(handle)].handle == handle;
}

void uk_again_freed(struct uk_thread *t, unsigned kind, unsigned id, uint64_t site, uint64_t handle)
{
    struct uk_again *a = t->again;
    tell_freed(t, kind);
    uk_again_gone(t, handle);
    a->freed[kind].id = id;
    a->freed[kind].site = site;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->parked[kind] = handle;
    untold(t, 1);
}

void uk_again_gone(struct uk_thread *t, uint64_t handle)
{
    struct uk_again *a = t->again;
    if (a && a->live[place_of(handle)].handle == handle)
        a->live[place_of(handle)].handle = 0;
}

uint64_t uk_again_type(const struct uk_thread *t, uint64_t handle)
{
    const struct uk_again *a = again_of(t);
    const unsigned at = place_of(handle);
    if (!a || handle == 0 || a->live[at].handle != handle || a->live[at].known->state != UK_TOLD)
        return handle;
    return ~(uint64_t)(a->live[at].known - a->known);
}

bool uk_again_asked(struct uk_thread *t, struct uk_making *m)
{
    struct uk_again *a = again_of(t);
    if (!a)
        return false;
    const unsigned at = m->hash = hash_of(m);
    if (a->asked[at].time != a->time || !same(&a->asked[at].by, m))
        return false;
    untold(t, 1);
    return true;
}

void uk_again_answered(struct uk_thread *t, const struct uk_making *m)
{
    struct uk_again *a = again_of(t);
    if (!a)
        return;
    const unsigned at = m->hash;
    a->asked[at].time = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    a->asked[at].by = *m;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    a->asked[at].time = a->time;
}
