/*
 * The ledgers of the shared objects that the program allocated: for each thread, in shared memory of its own, those
 * that it allocated itself or together with the others, and those that it freed. A thread decides by its own ledger.
 * Before it tells something bad it looks into those of the others, because an object may have been freed, or its memory
 * given to somebody else, behind its back. An object is known by who allocated it (-1: all threads at a time) and that
 * one's how-manieth allocation it was.
 *
 * Memory is compared by thread and upc_addrfield. Objects that are spread over the threads are taken to begin at the
 * same address on all; if the compiler does not do so, nothing is reported about them.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ledger_objects.h"

struct upck_ledger {
    int entries, changing; /* changing is odd while the owner changes its ledger */
    int lossy;             /* something is not in it */
    int foreign;           /* objects of others, or of all, that the owner freed alone */
};

static shared[UPCK_ENTRIES] struct upck_entry upck_entries[UPCK_ENTRIES * THREADS];
static shared struct upck_ledger upck_ledgers[THREADS];
static shared char upck_probe[THREADS];

static unsigned long upck_serial, upck_serial_all;

static struct upck_ledger *upck_own(void)
{
    static struct upck_ledger *mine;
    if (!mine)
        mine = (struct upck_ledger *)&upck_ledgers[MYTHREAD];
    return mine;
}

static struct upck_entry *upck_own_entries(void)
{
    static struct upck_entry *mine;
    if (!mine)
        mine = (struct upck_entry *)&upck_entries[MYTHREAD * UPCK_ENTRIES];
    return mine;
}

int upck_symmetric(void)
{
    static int known;
    if (!known) {
        known = 1;
        for (int t = 1; t < THREADS; t++)
            if (upc_addrfield(&upck_probe[t]) != upc_addrfield(&upck_probe[0]))
                known = 2;
    }
    return known == 1;
}

unsigned long upck_part(const struct upck_entry *e, unsigned long thread)
{
    if (e->home >= 0)
        return thread == (unsigned long)e->home ? e->bytes : 0;
    if (!e->block)
        return 0;
    unsigned long full = e->bytes / e->block, rest = e->bytes % e->block;
    unsigned long rows = full / THREADS, more = full % THREADS;
    return rows * e->block + (thread < more ? e->block : thread == more ? rest : 0);
}

/* How far an object extends on the thread that has the most of it. */
static unsigned long upck_reach(const struct upck_entry *e)
{
    return upck_part(e, e->home >= 0 ? (unsigned long)e->home : 0);
}

/* An entry of a thread's ledger. That of another one may be in the middle of a change. */
static void upck_entry_of(int ledger, int i, struct upck_entry *e)
{
    if (ledger == MYTHREAD)
        *e = upck_own_entries()[i];
    else
        upc_memget(e, &upck_entries[(long)ledger * UPCK_ENTRIES + i], sizeof *e);
}

static int upck_before(int ledger, int i, int home, unsigned long address)
{
    if (ledger == MYTHREAD) {
        const struct upck_entry *e = &upck_own_entries()[i];
        return e->home != home ? e->home < home : e->base <= address;
    }
    shared[UPCK_ENTRIES] const struct upck_entry *e = &upck_entries[(long)ledger * UPCK_ENTRIES + i];
    return e->home != home ? e->home < home : e->base <= address;
}

/*
 * The number of entries of a ledger that are not after a place. They are sorted by home and address, and do not
 * overlap.
 */
static int upck_position(int ledger, int n, int home, unsigned long address)
{
    int low = 0;
    while (low < n) {
        int middle = low + (n - low) / 2;
        if (upck_before(ledger, middle, home, address))
            low = middle + 1;
        else
            n = middle;
    }
    return low;
}

static int upck_covering(int ledger, int n, int home, unsigned long address, struct upck_entry *e)
{
    int i = upck_position(ledger, n, home, address) - 1;
    if (i < 0)
        return -1;
    upck_entry_of(ledger, i, e);
    return e->home == home && (home >= 0 || e->block) && address - e->base < upck_reach(e) ? i : -1;
}

/*
 * The object at a place: the one that is alive, if a thread's own and a spread one are known there. -1 if there is
 * none.
 */
static int upck_in(int ledger, int n, int thread, unsigned long address, struct upck_entry *e)
{
    struct upck_entry over_all;
    int own = upck_covering(ledger, n, thread, address, e);
    if (own >= 0 && e->state == UPCK_LIVE)
        return own;
    int spread = upck_covering(ledger, n, -1, address, &over_all);
    if (spread < 0)
        return own;
    *e = over_all;
    return spread;
}

/* Ranges of memory that were asked for last, as long as the ledger does not change: objects alive, and what is
   between objects that the ledger has, which is often one of another thread's. Nothing that is in the ledger
   overlaps, so what is found here is all that the ledger has at that place. */
enum { UPCK_RECENT = 8 };
static struct upck_recent {
    unsigned long base, reach;
    int home, entry; /* home -1: on all threads; entry -1: none */
} upck_recent[UPCK_RECENT];
static unsigned upck_recent_count;

static const struct upck_recent *upck_recently(int thread, unsigned long address)
{
    for (unsigned i = 0; i < upck_recent_count && i < UPCK_RECENT; i++) {
        const struct upck_recent *r = &upck_recent[i];
        if ((r->home < 0 || r->home == thread) && address - r->base < r->reach)
            return r;
    }
    return 0;
}

/* The range around a place that is in none of a home's entries becomes smaller, so that none reaches into it. */
static void upck_narrow(int home, unsigned long address, unsigned long *from, unsigned long *to)
{
    const struct upck_entry *all = upck_own_entries();
    int i = upck_position(MYTHREAD, upck_own()->entries, home, address);
    if (i > 0 && all[i - 1].home == home && all[i - 1].base + upck_reach(&all[i - 1]) > *from)
        *from = all[i - 1].base + upck_reach(&all[i - 1]);
    if (i < upck_own()->entries && all[i].home == home && all[i].base < *to)
        *to = all[i].base;
}

static int upck_search(int thread, unsigned long address)
{
    struct upck_entry e;
    struct upck_recent r = {0, ~0UL, thread, -1};
    int found = upck_in(MYTHREAD, upck_own()->entries, thread, address, &e);
    if (found >= 0 && e.state != UPCK_LIVE)
        return found;
    if (found >= 0) {
        r = (struct upck_recent){e.base, upck_reach(&e), e.home, found};
    } else {
        upck_narrow(thread, address, &r.base, &r.reach);
        upck_narrow(-1, address, &r.base, &r.reach);
        r.reach -= r.base;
    }
    upck_recent[upck_recent_count++ % UPCK_RECENT] = r;
    return found;
}

/* Several checks of a call ask for the same place. */
const struct upck_entry *upck_known(shared const void *p)
{
    static shared const void *asked;
    static int then, found;
    const struct upck_ledger *ledger = upck_own();
    if (ledger->changing != then || !then) {
        upck_recent_count = 0;
        asked = 0;
        then = ledger->changing;
    }
    if (p != asked || !asked) {
        int thread = (int)upc_threadof((shared void *)p);
        unsigned long address = upc_addrfield((shared void *)p);
        const struct upck_recent *recent = upck_recently(thread, address);
        found = recent ? recent->entry : upck_search(thread, address);
        asked = p;
    }
    return found < 0 ? 0 : &upck_own_entries()[found];
}

static void upck_remove(int i)
{
    struct upck_entry *all = upck_own_entries();
    struct upck_ledger *ledger = upck_own();
    memmove(&all[i], &all[i + 1], (size_t)(ledger->entries - i - 1) * sizeof *all);
    ledger->entries--;
}

/* Takes out what overlaps a new object: it is known to be gone now. */
static void upck_clear(int home, unsigned long base, unsigned long reach)
{
    struct upck_entry *all = upck_own_entries();
    int i = upck_position(MYTHREAD, upck_own()->entries, home, base) - 1;
    if (i < 0 || all[i].home != home)
        i++;
    while (i < upck_own()->entries && all[i].home == home && all[i].base < base + reach) {
        if (all[i].base + upck_reach(&all[i]) > base)
            upck_remove(i);
        else
            i++;
    }
}

/*
 * The same for a spread object, on all threads of which something is known: they may have freed there what was
 * allocated together.
 */
static void upck_clear_homes(const struct upck_entry *e)
{
    const struct upck_entry *all = upck_own_entries();
    for (int i = 0; i < upck_own()->entries;) {
        int home = all[i].home;
        upck_clear(home, e->base, home < 0 ? upck_reach(e) : upck_part(e, (unsigned long)home));
        i = upck_position(MYTHREAD, upck_own()->entries, home, ~0UL);
    }
}

/*
 * Makes room in a full ledger: freed objects are removed, except for objects of others, or of all, that this thread
 * freed alone.
 */
static void upck_forget_freed(int others)
{
    struct upck_entry *all = upck_own_entries();
    struct upck_ledger *ledger = upck_own();
    int kept = 0;
    for (int i = 0; i < ledger->entries; i++)
        if (all[i].state == UPCK_LIVE || (!others && all[i].state == UPCK_FREED && all[i].owner != MYTHREAD))
            all[kept++] = all[i];
    ledger->entries = kept;
    ledger->lossy |= others;
}

static void upck_insert(const struct upck_entry *e)
{
    struct upck_ledger *ledger = upck_own();
    struct upck_entry *all = upck_own_entries();
    upck_ledgers[MYTHREAD].changing++;
    upc_fence;
    if (e->home >= 0) {
        upck_clear(e->home, e->base, upck_reach(e));
        upck_clear(-1, e->base, upck_reach(e));
    } else
        upck_clear_homes(e);
    if (ledger->entries == UPCK_ENTRIES)
        upck_forget_freed(0);
    if (ledger->entries == UPCK_ENTRIES)
        upck_forget_freed(1);
    if (ledger->entries < UPCK_ENTRIES) {
        int i = upck_position(MYTHREAD, ledger->entries, e->home, e->base);
        memmove(&all[i + 1], &all[i], (size_t)(ledger->entries - i) * sizeof *all);
        all[i] = *e;
        ledger->entries++;
    } else
        ledger->lossy = 1;
    upc_fence;
    upck_ledgers[MYTHREAD].changing++;
}

void upck_allocated(shared void *ptr, unsigned long nblocks, unsigned long nbytes, const struct upck_site *site,
                    int how)
{
    int together = how & UPCK_TOGETHER;
    how &= ~UPCK_TOGETHER;
    upck_serial++;
    if (ptr == 0 || UPCK_OVERFLOWS(nblocks, nbytes))
        return;
    struct upck_entry e = {.base = upc_addrfield(ptr),
                           .bytes = nblocks * nbytes,
                           .block = nbytes,
                           .how = (unsigned char)how,
                           .state = UPCK_LIVE,
                           .owner = MYTHREAD,
                           .serial = upck_serial,
                           .line = site->line,
                           .file = site->file};
    e.home = how == UPCK_GLOBAL || how == UPCK_ALL ? -1 : (short)upc_threadof(ptr);
    if (together) {
        e.owner = -1;
        e.serial = ++upck_serial_all;
    }
    upck_insert(&e);
}

/* ---- The ledgers of the others. ---- */

/* A thread that is changing its ledger is waited for, up to 2 s. */
enum { UPCK_ATTEMPTS = 2000, UPCK_PAUSE = 1000 };

/*
 * Looks a place up in the ledger of another thread: the same before and after, or it is looked up again. 0 if that did
 * not come about.
 */
static int upck_look_up(int ledger, int thread, unsigned long address, struct upck_ledger *head, struct upck_entry *e,
                        int *found)
{
    for (int attempt = 0; attempt < UPCK_ATTEMPTS; attempt++) {
        if (attempt > 0)
            usleep(UPCK_PAUSE);
        upc_fence;
        *head = upck_ledgers[ledger];
        if ((head->changing & 1) || head->entries < 0 || head->entries > UPCK_ENTRIES)
            continue;
        *found = upck_in(ledger, head->entries, thread, address, e) >= 0;
        upc_fence;
        if (upck_ledgers[ledger].changing == head->changing)
            return 1;
    }
    return 0;
}

/* What the others know of a place. mine is what this thread knows, or 0. */
struct upck_others {
    int certain;        /* all ledgers could be read, and have everything */
    int freed_by;       /* who freed my object alone, or -1 */
    int freed_together; /* somebody freed it with all others */
    int against;        /* another object is there, or may have come after mine */
    int other;          /* another object is or was there, and was freed after mine */
    int other_alone;    /* ... and was freed by one thread alone */
    int alive_at;       /* the thread with a living one there, or -1 */
    struct upck_entry alive;
};

static void upck_ask(shared const void *p, const struct upck_entry *mine, struct upck_others *o)
{
    *o = (struct upck_others){.certain = !upck_unchecked(), .freed_by = -1, .alive_at = -1};
    unsigned long address = upc_addrfield((shared void *)p);
    int thread = (int)upc_threadof((shared void *)p);
    for (int t = 0; t < THREADS; t++) {
        struct upck_ledger head;
        struct upck_entry its;
        const struct upck_entry *e = &its;
        int found;
        if (t == MYTHREAD)
            continue;
        if (!upck_look_up(t, thread, address, &head, &its, &found) || head.lossy) {
            o->certain = 0;
            continue;
        }
        if (!found)
            continue;
        int same = mine && e->owner == mine->owner && e->serial == mine->serial;
        if (e->state == UPCK_LIVE && !same) {
            o->alive_at = t;
            o->alive = *e;
        }
        if (same && e->state == UPCK_FREED)
            o->freed_by = t;
        if (same && e->state == UPCK_FREED_TOGETHER)
            o->freed_together = 1;
        /*
		 * A thread that has freed nothing of others may have an older object in its ledger, but then mine came after
		 * it.
		 */
        if (!same && (e->state == UPCK_LIVE || head.foreign))
            o->against = 1;
        if (!same && (!mine || mine->state == UPCK_LIVE || e->freed_at > mine->freed_at)) {
            o->other = 1;
            o->other_alone |= e->state == UPCK_FREED;
        }
    }
}

int upck_confirm(shared const void *p, const struct upck_entry *mine)
{
    struct upck_others o;
    upck_ask(p, mine, &o);
    if (mine->state != UPCK_LIVE)
        return o.certain && o.alive_at < 0;
    return o.certain && o.freed_by < 0 && !o.freed_together && !o.against;
}

int upck_alive(shared const void *p)
{
    struct upck_others o;
    upck_ask(p, 0, &o);
    return o.certain && o.alive_at >= 0 && o.alive.how < UPCK_LOCK;
}

/* Places in objects of other threads that were found last, as long as those do not change their ledgers. */
enum { UPCK_SEEN = 16 };
static struct upck_seen {
    unsigned long base, part;
    int thread, ledger, changing;
} upck_seen[UPCK_SEEN];
static unsigned upck_seen_count;

static int upck_seen_alive(int thread, unsigned long address)
{
    for (unsigned i = 0; i < upck_seen_count && i < UPCK_SEEN; i++) {
        const struct upck_seen *s = &upck_seen[i];
        if (s->thread == thread && address - s->base < s->part)
            return upck_ledgers[s->ledger].changing == s->changing;
    }
    return 0;
}

static void upck_note_seen(const struct upck_others *o, int thread, int changing)
{
    struct upck_seen s = {o->alive.base, upck_part(&o->alive, (unsigned long)thread), thread, o->alive_at, changing};
    upck_seen[upck_seen_count++ % UPCK_SEEN] = s;
}

/* The objects next to a place on a thread, or none, which are 0 bytes long. */
struct upck_near {
    struct upck_entry below, above;
    unsigned long from_end, to_start;
};

static void upck_nearer(const struct upck_entry *e, unsigned long thread, unsigned long address, struct upck_near *n)
{
    unsigned long end = e->base + upck_part(e, thread);
    if (e->state != UPCK_LIVE || end == e->base)
        return;
    if (end <= address && (!n->below.bytes || address - end < n->from_end)) {
        n->below = *e;
        n->from_end = address - end;
    }
    if (e->base > address && (!n->above.bytes || e->base - address < n->to_start)) {
        n->above = *e;
        n->to_start = e->base - address;
    }
}

/* Looks for nearer ones in a ledger. Its thread may change it meanwhile: then words are wrong, and nothing else. The
   name of a file is in the memory of the ledger's thread. */
static void upck_look_around(int ledger, unsigned long thread, unsigned long address, struct upck_near *n)
{
    int entries = upck_ledgers[ledger].entries, homes[] = {(int)thread, -1};
    for (int h = 0; h < 2 && entries >= 0 && entries <= UPCK_ENTRIES; h++) {
        int position = upck_position(ledger, entries, homes[h], address);
        for (int i = position - 1; i <= position; i++) {
            struct upck_entry e;
            if (i < 0 || i >= entries)
                continue;
            upck_entry_of(ledger, i, &e);
            if (ledger != MYTHREAD)
                e.file = 0;
            if (e.home == homes[h])
                upck_nearer(&e, thread, address, n);
        }
    }
}

/* Which object was meant cannot be known: the words have the nearest one. */
static int upck_say_stray(int thread, unsigned long address)
{
    struct upck_near near = {0};
    upck_look_around(MYTHREAD, (unsigned long)thread, address, &near);
    if (thread != MYTHREAD)
        upck_look_around(thread, (unsigned long)thread, address, &near);
    int before = near.above.bytes && (!near.below.bytes || near.to_start < near.from_end);
    const struct upck_entry *e = before ? &near.above : &near.below;
    if (!e->bytes)
        upck_because("points to no object: nothing is allocated at address %#lx of thread %d", address, thread);
    else
        upck_because("points to no object: it is %lu bytes %s of the nearest one on thread %d, allocated %s %s",
                     before ? near.to_start : near.from_end, before ? "before the start" : "beyond the end", thread,
                     e->file ? "at" : "by", e->file ? upck_at(e->file, e->line) : "that thread");
    return before ? UPCK_BEFORE : UPCK_BEYOND;
}

int upck_stray(shared const void *p)
{
    int thread = (int)upc_threadof((shared void *)p);
    unsigned long address = upc_addrfield((shared void *)p);
    if (upck_unchecked() || !upck_heap(address) || upck_known(p) || upck_seen_alive(thread, address))
        return UPCK_NOT_STRAY;
    struct upck_others o;
    int changing[THREADS];
    for (int t = 0; t < THREADS; t++)
        changing[t] = upck_ledgers[t].changing;
    upc_fence;
    upck_ask(p, 0, &o);
    if (o.alive_at >= 0)
        upck_note_seen(&o, thread, changing[o.alive_at]);
    if (!o.certain || o.alive_at >= 0 || upck_own()->lossy)
        return UPCK_NOT_STRAY;
    if (!o.other)
        return upck_say_stray(thread, address);
    upck_because("points to an object that another thread freed already");
    return UPCK_GONE;
}

/* Whether any thread has freed an object of others. */
static int upck_any_foreign(void)
{
    for (int t = 0; t < THREADS; t++)
        if (t != MYTHREAD && upck_ledgers[t].foreign)
            return 1;
    return 0;
}

static const char *upck_kind(int how)
{
    return how == UPCK_LOCK     ? "lock"
           : how == UPCK_FILE   ? "file handle"
           : how == UPCK_DOMAIN ? "atomicity domain"
                                : "object";
}

static const char *upck_a(int how)
{
    return how == UPCK_LOCK     ? "a lock"
           : how == UPCK_FILE   ? "a file handle"
           : how == UPCK_DOMAIN ? "an atomicity domain"
                                : "an object";
}

static void upck_say_freed(const struct upck_entry *e)
{
    upck_because("points to %s that was freed at %s (allocated at %s)", upck_a(e->how),
                 upck_at(e->freed_file, e->freed_line), upck_at(e->file, e->line));
}

/* What is wrong with freeing an object that this thread's ledger has, alive. */
static int upck_bad_free_known(const struct upck_entry *e, shared void *ptr, int collective)
{
    if (e->how >= UPCK_LOCK) {
        upck_because("points to %s, allocated at %s", upck_a(e->how), upck_at(e->file, e->line));
        return upck_confirm(ptr, e) ? UPCK_OPAQUE : UPCK_FINE;
    }
    int start = upc_addrfield(ptr) == e->base && (e->home >= 0 || upc_threadof(ptr) == 0);
    if (!start) {
        upck_because("points into an object of %lu bytes, allocated at %s, and not to its start", e->bytes,
                     upck_at(e->file, e->line));
        return upck_confirm(ptr, e) ? UPCK_INTERIOR : UPCK_FINE;
    }
    if (!upck_any_foreign())
        return UPCK_FINE;
    struct upck_others o;
    upck_ask(ptr, e, &o);
    if (o.freed_by < 0 || o.against || (collective && o.freed_together))
        return UPCK_FINE;
    upck_because("points to an object that thread %d freed already (allocated at %s)", o.freed_by,
                 upck_at(e->file, e->line));
    return UPCK_FREED_THERE;
}

/* The same for one that it does not know, or has freed. */
static int upck_bad_free_unknown(const struct upck_entry *mine, shared void *ptr, int collective)
{
    struct upck_others o;
    upck_ask(ptr, mine, &o);
    if (o.alive_at >= 0) {
        int start = upc_addrfield(ptr) == o.alive.base && (o.alive.home >= 0 || upc_threadof(ptr) == 0);
        upck_because("points into an object of %lu bytes that thread %d allocated, and not to its start", o.alive.bytes,
                     o.alive_at);
        return start || o.alive.how >= UPCK_LOCK || !o.certain ? UPCK_FINE : UPCK_INTERIOR;
    }
    if (!o.certain)
        return UPCK_FINE;
    /* What threads free together, those that are ahead have in their ledgers as freed. */
    if (o.other) {
        upck_because("points to an object that another thread freed already");
        return collective && !o.other_alone ? UPCK_FINE : UPCK_FREED_THERE;
    }
    if (mine) {
        upck_say_freed(mine);
        return UPCK_FREED_HERE;
    }
    upck_because("is no pointer that an allocation gave");
    return UPCK_NEVER;
}

int upck_bad_free(const struct upck_site *site, int arg, shared void *ptr, int collective)
{
    if (ptr == 0)
        return UPCK_FINE;
    if (upc_threadof(ptr) >= (size_t)THREADS) {
        upck_because("points to thread %zu of %d", upc_threadof(ptr), THREADS);
        return UPCK_NEVER;
    }
    const struct upck_shape *shape = upck_shape(site, arg);
    if (shape && shape->bytes) {
        upck_because("points to a declared object, which no allocation gave");
        return UPCK_STATIC;
    }
    const struct upck_entry *e = upck_known(ptr);
    if (e && e->home < 0 && !upck_symmetric())
        return UPCK_FINE;
    return e && e->state == UPCK_LIVE ? upck_bad_free_known(e, ptr, collective)
                                      : upck_bad_free_unknown(e, ptr, collective);
}

/*
 * Nanoseconds, to say which of several threads was the last: clocks of different nodes may differ, and then the words
 * name another.
 */
static unsigned long upck_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (unsigned long)now.tv_sec * 1000000000UL + (unsigned long)now.tv_nsec;
}

void upck_freed(shared void *ptr, const struct upck_site *site, int collective)
{
    if (ptr == 0)
        return;
    struct upck_entry *e = (struct upck_entry *)upck_known(ptr);
    struct upck_entry found;
    if (!e || e->state != UPCK_LIVE) {
        struct upck_others o;
        if (collective)
            return;
        upck_ask(ptr, e, &o);
        if (o.alive_at < 0)
            return;
        found = o.alive;
        found.file = "another thread's call";
        found.line = 0;
        upck_insert(&found);
        e = (struct upck_entry *)upck_known(ptr);
        if (!e)
            return;
    }
    upck_ledgers[MYTHREAD].changing++;
    upc_fence;
    e->state = collective ? UPCK_FREED_TOGETHER : UPCK_FREED;
    e->freed_file = site->file;
    e->freed_line = site->line;
    e->freed_at = upck_clock();
    if (!collective && e->owner != MYTHREAD)
        upck_own()->foreign++;
    upc_fence;
    upck_ledgers[MYTHREAD].changing++;
}

int upck_bad_opaque(const struct upck_site *site, int arg, shared void *ptr, int how)
{
    if (ptr == 0)
        return UPCK_FINE;
    const struct upck_shape *shape = upck_shape(site, arg);
    const char *kind = upck_kind(how);
    if (upc_threadof(ptr) >= (size_t)THREADS || (shape && shape->bytes)) {
        if (shape && shape->bytes)
            upck_because("points to a declared object, which is no %s", kind);
        else
            upck_because("is no pointer to %s: it has thread %zu of %d", upck_a(how), upc_threadof(ptr), THREADS);
        return UPCK_NEVER;
    }
    const struct upck_entry *e = upck_known(ptr);
    if (e && e->state == UPCK_LIVE) {
        if (e->how == how)
            return UPCK_FINE;
        upck_because("points to %s, allocated at %s, and not to %s", upck_a(e->how), upck_at(e->file, e->line),
                     upck_a(how));
        return upck_confirm(ptr, e) ? UPCK_NEVER : UPCK_FINE;
    }
    struct upck_others o;
    upck_ask(ptr, e, &o);
    if (o.alive_at >= 0 && o.alive.how == how) {
        o.alive.file = "another thread's call";
        o.alive.line = 0;
        upck_insert(&o.alive);
        return UPCK_FINE;
    }
    if (!o.certain)
        return UPCK_FINE;
    if (o.alive_at < 0 && o.other) {
        upck_because("points to %s that another thread freed already", upck_a(how));
        return o.other_alone ? UPCK_FREED_THERE : UPCK_FINE;
    }
    if (o.alive_at >= 0 || !e) {
        upck_because("is no pointer to %s", upck_a(how));
        return UPCK_NEVER;
    }
    upck_say_freed(e);
    return UPCK_FREED_HERE;
}
