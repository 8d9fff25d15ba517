// What marks.h says.
//
// Runs: as marks.h says. An access is noted on the thread that makes it, between calls, perhaps in a signal handler.
//
// Never: in the function that notes one, waits for a lock: a signal handler may have interrupted the one that has it;
// allocates, or calls MPI or the program. An access that cannot be noted at once is left out. Accesses of functions of
// the program's that MPI calls are MPI's own. errno is kept.
#define _GNU_SOURCE
#pragma GCC optimize("O2")
#include "objects/marks.h"
#include "objects/exposed.h"
#include "objects/shadow.h"
#include "writer/lock.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct uk_access *page;
static uk_lock_t lock;
static struct uk_marks *active;

static struct uk_thread *first;    // that has initialised MPI
static unsigned npending, exposed; // operations, and pieces of memory of windows
static bool of_windows;            // accesses to them are wanted
static bool looking = true;        // for them, in loops without calls
static bool doubtful, moved;       // moved: parts of the program were loaded since the places of code were recorded
static void (*arrived)(void);
static void (*earlier)(uintptr_t, size_t, int, uintptr_t); // what another probe has had be called
static void (*tell_maps)(struct uk_thread *);

enum { NOTES = 64, PATIENCE = 1000 };
static struct note {
    uintptr_t at, site;
    size_t size;
    bool store;
    int thread; // its index, -1 if it has not called MPI
    unsigned inside;
} notes[NOTES];
static unsigned nnotes;

static void mark(const struct uk_run *r)
{
    const unsigned char bits = UK_SHADOW_STORES | (r->writes ? UK_SHADOW_LOADS : 0);
    const uint64_t first = UINT64_C(0x0101010101010101) * (bits | 1);
    unsigned char *p = uk_shadow(r->low), *end = uk_shadow(r->high - 1) + 1;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        if (word == 0)
            memcpy(p, &first, sizeof first);
        else
            for (unsigned i = 0; i < 8; i++)
                uk_shadow_raise(p + i, bits);
    }
    for (; p < end; p++)
        uk_shadow_raise(p, bits);
}

static void unmark(const struct uk_run *r)
{
    const uint64_t only = UINT64_C(0x0101010101010101) * (UK_SHADOW_STORES | (r->writes ? UK_SHADOW_LOADS : 0) | 1);
    unsigned char *p = uk_shadow(r->low), *end = uk_shadow(r->high - 1) + 1;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        if (word == only)
            memset(p, 0, sizeof word);
        else if (word != 0)
            for (unsigned i = 0; i < 8; i++)
                uk_shadow_lower(p + i);
    }
    for (; p < end; p++)
        uk_shadow_lower(p);
}

// Whether an access meets a run that it must not.
static bool meets(const struct uk_marks *m, uintptr_t low, uintptr_t high, bool store)
{
    const struct uk_run *r = m->runs.at;
    size_t from = 0, to = m->runs.n; // the first run that does not end before low is in [from, to]
    while (from < to) {
        size_t half = from + (to - from) / 2;
        if (r[half].high <= low)
            from = half + 1;
        else
            to = half;
    }
    for (; from < m->runs.n && r[from].low < high; from++)
        if (store || r[from].writes)
            return true;
    return false;
}

static bool known(struct uk_marks *m, uintptr_t site)
{
    for (unsigned i = 0; i < m->nsites; i++)
        if (m->sites[i] == site)
            return true;
    return m->nsites == UK_MARKS_SITES;
}

// Takes the mark of one operation from what an access has touched, so that a loop comes here once for eight bytes. With
// met, it has met one. Otherwise a count that is as high as it gets may be of operations that are over.
static void withdraw(uintptr_t low, uintptr_t high, bool met)
{
    enum { FEW = 3 };
    unsigned char *p = uk_shadow(low), *end = uk_shadow(high - 1) + 1;
    for (; end - p <= FEW && p < end; p++, low = (low & ~(uintptr_t)7) + 8) {
        bool over = met && (*p & UK_SHADOW_COUNT) == 1;
        if (!met && (*p & UK_SHADOW_COUNT) == UK_SHADOW_COUNT) {
            over = true;
            for (struct uk_marks *m = active; m && over; m = m->next)
                over = !meets(m, low & ~(uintptr_t)7, (low & ~(uintptr_t)7) + 8, true);
        }
        if (over)
            *p = uk_shadow_of_window(*p);
    }
}

// Takes in an access where operations own memory; true if there is something new to tell.
static bool owned(uintptr_t at, size_t size, bool store, uintptr_t site, int thread)
{
    bool fresh = false, met = false;
    unsigned inside = 0;
    for (struct uk_marks *m = active; m; m = m->next)
        if (meets(m, at, at + size, store)) {
            met = true;
            if (known(m, site))
                continue;
            m->sites[m->nsites++] = site;
            fresh = true;
            inside = m->inside;
        }
    withdraw(at, at + size, met);
    // What the compiler has made of a copy may be looked at twice.
    const struct note *last = nnotes > 0 ? &notes[nnotes - 1] : NULL;
    if (!fresh || nnotes == NOTES || (last && last->at == at && last->size == size && last->store == store))
        return false;
    notes[nnotes++] = (struct note){at, site, size, store, thread, inside};
    return true;
}

static void touch(uintptr_t at, size_t size, int how, uintptr_t site)
{
    struct uk_thread *t = &uk_self;
    if (earlier)
        earlier(at, size, how, site);
    if (size == 0 || (t->gate != UK_OPEN && t->gate != UK_NEW) || __atomic_load_n(&doubtful, __ATOMIC_RELAXED))
        return;
    unsigned tries = 0;
    while (!uk_trylock(&lock))
        if (++tries == PATIENCE)
            return;
    const int thread = t->gate == UK_OPEN ? (int)t->index : -1;
    bool tells = uk_shadow_counts(at, at + size) && owned(at, size, how & UK_ACCESS_STORE, site, thread);
    if (exposed > 0 && uk_exposed_touch(at, size, how, site, thread))
        tells = true;
    if (tells) // the next call asks what has happened to memory
        __atomic_store_n(t->gate == UK_OPEN ? &t->mark : &first->mark, 0, __ATOMIC_RELAXED);
    uk_unlock(&lock);
}

static void part_arrives(void)
{
    __atomic_store_n(&moved, true, __ATOMIC_RELAXED);
    arrived();
}

bool uk_marks_init(void (*arrive)(void), void (*maps)(struct uk_thread *), const struct uk_marks_windows *windows)
{
    const int keep = errno;
    struct uk_access *p = uk_access_make(); // if something else is there, no part of the program has the runtime
    errno = keep;
    if (!p)
        return false;
    page = p;
    first = &uk_self;
    arrived = arrive;
    tell_maps = maps;
    of_windows = windows->wanted;
    uk_exposed_all = windows->all;
    uk_exposed_slowdown = windows->slowdown;
    p->arrive = part_arrives;
    if (p->touch != touch)
        earlier = p->touch;
    p->touch = touch;
    return p->shadow != UK_SHADOW_NONE;
}

void uk_marks_doubt(bool is)
{
    __atomic_store_n(&doubtful, is, __ATOMIC_RELAXED);
}

void uk_marks_end(void)
{
    if (page)
        page->touch = NULL;
}

static intptr_t number(const void *array, size_t i, bool wide)
{
    return wide ? (intptr_t)((const MPI_Aint *)array)[i] : ((const int *)array)[i];
}

static bool part(struct uk_marks *m, const struct uk_part *p)
{
    typedef int extent_type(MPI_Datatype, MPI_Aint *, MPI_Aint *);
    uintptr_t at = (uintptr_t)p->at;
    if (p->n == 0 || p->at == MPI_IN_PLACE)
        return true;
    if (!p->counts)
        return uk_runs_add(&m->runs, at, (MPI_Count)p->n * p->count, p->type, p->writes);
    MPI_Aint lower, extent = 1;
    if (!p->types && ASK(MPI_Type_get_extent, extent_type, p->type, &lower, &extent) != MPI_SUCCESS)
        return false;
    for (size_t i = 0; i < p->n; i++) {
        const intptr_t count = number(p->counts, i, p->wide_counts);
        const uintptr_t block = p->displs ? at + (uintptr_t)(number(p->displs, i, p->wide_displs) * extent) : at;
        if (count > 0 && !uk_runs_add(&m->runs, block, count, p->types ? p->types[i] : p->type, p->writes))
            return false;
        if (!p->displs)
            at += (uintptr_t)(count * extent);
    }
    return true;
}

bool uk_marks_find(struct uk_marks *m, const struct uk_part *parts, size_t n)
{
    *m = (struct uk_marks){0};
    for (size_t i = 0; i < n; i++)
        if (!part(m, parts + i)) {
            uk_marks_drop(m);
            return false;
        }
    uk_runs_sort(&m->runs);
    return m->runs.n > 0;
}

static void want(void)
{
    static uint32_t mine;
    uk_access_want(page, &mine, npending + (looking ? exposed : 0));
}

void uk_marks_on(struct uk_marks *m)
{
    if (m->on || m->runs.n == 0)
        return;
    for (size_t i = 0; i < m->runs.n; i++)
        if (m->runs.at[i].high > UK_ACCESS_TOP || !page->room(m->runs.at[i].low, m->runs.at[i].high))
            return;
    uk_lock(&lock);
    m->on = true;
    m->nsites = 0;
    m->previous = NULL;
    m->next = active;
    if (active)
        active->previous = m;
    active = m;
    npending++;
    want();
    for (size_t i = 0; i < m->runs.n; i++)
        mark(&m->runs.at[i]);
    uk_unlock(&lock);
}

void uk_marks_off(struct uk_marks *m)
{
    if (!m->on)
        return;
    uk_lock(&lock);
    m->on = false;
    npending--;
    want();
    if (m->previous)
        m->previous->next = m->next;
    else
        active = m->next;
    if (m->next)
        m->next->previous = m->previous;
    for (size_t i = 0; i < m->runs.n; i++)
        unmark(&m->runs.at[i]);
    uk_unlock(&lock);
}

void uk_marks_drop(struct uk_marks *m)
{
    uk_marks_off(m);
    free(m->runs.at);
    m->runs = (struct uk_runs){0};
}

void uk_marks_tell(struct uk_thread *t)
{
    if (UK_LIKELY(__atomic_load_n(&nnotes, __ATOMIC_RELAXED) == 0))
        return;
    struct note mine[NOTES];
    uk_lock(&lock);
    const unsigned n = nnotes;
    memcpy(mine, notes, n * sizeof *mine);
    nnotes = 0;
    uk_unlock(&lock);
    if (__atomic_exchange_n(&moved, false, __ATOMIC_RELAXED))
        tell_maps(t);
    for (unsigned i = 0; i < n; i++) {
        uint64_t *w = uk_begin(t, UK_DATA_TOUCHED, UK_DATA, 0, UK_DATA_TOUCHED_FIXED);
        w[UK_DATA_TOUCHED_AT] = mine[i].at;
        w[UK_DATA_TOUCHED_BYTES] = mine[i].size;
        w[UK_DATA_TOUCHED_STORE] = mine[i].store;
        w[UK_DATA_TOUCHED_SITE] = mine[i].site;
        w[UK_DATA_TOUCHED_THREAD] = (uint64_t)(int64_t)mine[i].thread;
        w[UK_DATA_TOUCHED_INSIDE] = mine[i].inside;
        uk_commit(t);
    }
}

bool uk_marks_window(uint64_t win, uintptr_t low, uintptr_t high)
{
    if (!of_windows || high > UK_ACCESS_TOP || low >= high || high - low > UK_MARKS_WINDOW || !page->room(low, high))
        return false;
    uk_lock(&lock);
    const bool added = uk_exposed_add(win, low, high);
    __atomic_add_fetch(&exposed, added, __ATOMIC_RELAXED);
    want();
    uk_unlock(&lock);
    if (added)
        __atomic_store_n(&uk_self.mark, 0, __ATOMIC_RELAXED);
    return added;
}

void uk_marks_window_gone(uint64_t win, uintptr_t low)
{
    if (__atomic_load_n(&exposed, __ATOMIC_RELAXED) == 0)
        return;
    uk_lock(&lock);
    const unsigned gone = uk_exposed_drop(win, low);
    __atomic_sub_fetch(&exposed, gone, __ATOMIC_RELAXED);
    want();
    uk_unlock(&lock);
}

static void tell_runs(void *to, const struct uk_exposed_runs *r)
{
    struct uk_thread *t = to;
    uint64_t *v = uk_begin(t, UK_DATA_ACCESSED, UK_DATA, 0, UK_DATA_ACCESSED_FIXED);
    v[UK_DATA_ACCESSED_AT] = r->low;
    v[UK_DATA_ACCESSED_BYTES] = r->size;
    v[UK_DATA_ACCESSED_N] = r->n;
    v[UK_DATA_ACCESSED_STRIDE] = (uint64_t)r->stride;
    v[UK_DATA_ACCESSED_HOW] = (uint64_t)r->how;
    v[UK_DATA_ACCESSED_SITE] = r->site;
    v[UK_DATA_ACCESSED_THREAD] = (uint64_t)(int64_t)r->thread;
    uk_commit(t);
}

void uk_marks_tell_windows(struct uk_thread *t)
{
    if (UK_LIKELY(__atomic_load_n(&exposed, __ATOMIC_RELAXED) == 0))
        return;
    if (__atomic_load_n(&moved, __ATOMIC_RELAXED) && __atomic_exchange_n(&moved, false, __ATOMIC_RELAXED))
        tell_maps(t);
    uk_lock(&lock);
    looking = uk_exposed_wanted((uintptr_t)uk_call.ra);
    uk_exposed_tell(tell_runs, t, looking);
    want();
    uk_unlock(&lock);
    __atomic_store_n(&t->mark, 0, __ATOMIC_RELAXED); // its next call comes here, too
}
