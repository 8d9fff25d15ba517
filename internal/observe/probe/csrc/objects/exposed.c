// What exposed.h says.
//
// Runs: as exposed.h says.
//
// Never: see exposed.h.
#pragma GCC optimize("O2")
#include "objects/exposed.h"
#include "objects/shadow.h"
#include <string.h>
#include <time.h>

bool uk_exposed_all;
unsigned uk_exposed_slowdown;

// What has been spent, and when it began, in nanoseconds: costs are those of a processor of 2020.
enum { TOUCH_COSTS = 60, RUN_COSTS = 150 };
static uint64_t spent, began;
static bool too_much; // it is more than the bound allows

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// Looks whether the bound is kept.
static void account(void)
{
    if (uk_exposed_slowdown > 0)
        too_much = spent > (now() - began) / (1000 + uk_exposed_slowdown) * uk_exposed_slowdown;
}

enum { WINDOWS = 256 };
static struct window {
    uint64_t win;
    uintptr_t low, high;
    uintptr_t from, to; // what is to be marked again lies between these
} windows[WINDOWS];
static unsigned nwindows;

enum { MOST = 1024, NONE = -1 };
static struct uk_exposed_runs list[MOST];
static unsigned nlist;
static bool full; // something was left out, and all is to be marked again

// A place in the code: the run that it is in, and what that may be put to.
enum { PLACES = 128, NEAR = 8 };
static struct place {
    uint64_t born; // of the run
    uintptr_t site, low, high;
    int how, thread, last;  // an index of list, or NONE
    unsigned hits, entries; // of list
    bool sparse;
} places[PLACES];
static unsigned nplaces; // the last one that is used, plus one

// How often a place is looked at, and from then on how many bytes are left out behind each access: a line of the cache,
// and more as it continues.
enum { OFTEN = 4096, LEAST_SKIP = 64, MOST_SKIP = 4096 };

// How many runs of a place are recorded that do not continue each other.
enum { ENTRIES = 32 };

static uint64_t births;
static unsigned ordered; // accesses that may order ranks have come since the last other one

static const unsigned char both = UK_SHADOW_WINDOW_STORES | UK_SHADOW_WINDOW_LOADS;

static void mark(uintptr_t low, uintptr_t high)
{
    const unsigned char bits = (unsigned char)(both | uk_shadow_wanted(both));
    const uint64_t all = UINT64_C(0x0101010101010101) * bits;
    unsigned char *p = uk_shadow(low), *end = uk_shadow(high - 1) + 1;
    for (; end - p >= 8; p += 8) {
        uint64_t word;
        memcpy(&word, p, sizeof word);
        word |= all;
        memcpy(p, &word, sizeof word);
    }
    for (; p < end; p++)
        *p |= bits;
}

static void unmark(uintptr_t low, uintptr_t high, unsigned char bits)
{
    const uint64_t each = UINT64_C(0x0101010101010101), ours = each * (bits | uk_shadow_wanted(bits));
    unsigned char *p = uk_shadow(low), *end = uk_shadow(high - 1) + 1;
    while (p < end) {
        uint64_t word;
        if (end - p >= 8 && (memcpy(&word, p, sizeof word), (word & each * UK_SHADOW_COUNT) == 0)) {
            word &= ~ours;
            memcpy(p, &word, sizeof word);
            p += 8;
            continue;
        }
        *p &= (unsigned char)~bits;
        if (!(*p & UK_SHADOW_COUNT))
            *p = uk_shadow_of_window(*p);
        p++;
    }
}

bool uk_exposed_add(uint64_t win, uintptr_t low, uintptr_t high)
{
    if (nwindows == WINDOWS)
        return false;
    if (uk_exposed_slowdown > 0 && began == 0)
        began = now();
    windows[nwindows++] = (struct window){.win = win, .low = low, .high = high};
    mark(low, high);
    return true;
}

unsigned uk_exposed_cover(uint64_t win, uintptr_t low, uintptr_t high)
{
    for (unsigned i = 0; i < nwindows; i++) {
        struct window *w = &windows[i];
        if (w->win != win || low < w->low || low > w->high)
            continue;
        if (high > w->high)
            w->high = high;
        mark(low, high);
        return 0;
    }
    return uk_exposed_add(win, low, high);
}

unsigned uk_exposed_drop(uint64_t win, uintptr_t low)
{
    unsigned gone = 0;
    for (unsigned i = nwindows; i-- > 0;) {
        if (windows[i].win != win || (low != 0 && windows[i].low != low))
            continue;
        const struct window old = windows[i];
        memmove(&windows[i], &windows[i + 1], (--nwindows - i) * sizeof *windows);
        gone++;
        unmark(old.low, old.high, both);
        for (unsigned k = 0; k < nwindows; k++) // memory may be in several, and granules are
            if (windows[k].low < old.high + 8 && old.low < windows[k].high + 8)
                mark(old.low - 8 > windows[k].low ? old.low - 8 : windows[k].low,
                     old.high + 8 < windows[k].high ? old.high + 8 : windows[k].high);
    }
    return gone;
}

bool uk_exposed_meets(uint64_t win, uintptr_t low, uintptr_t high)
{
    for (unsigned i = 0; i < nwindows; i++)
        if (windows[i].win >= win && low < windows[i].high && windows[i].low < high)
            return true;
    return false;
}

// Puts a run to those before it, if it continues them.
static bool join(struct uk_exposed_runs *r, uintptr_t low, size_t size)
{
    if (size != r->size)
        return false;
    const intptr_t by = (intptr_t)(low - r->low);
    if (by == 0)
        return true;
    if (r->n == 1)
        r->stride = by;
    const intptr_t steps = by / r->stride;
    if (steps * r->stride != by || steps < 0 || steps > (intptr_t)r->n)
        return false;
    if (steps == (intptr_t)r->n)
        r->n++;
    return true;
}

// Ends the run that a place is in.
static void finish(struct place *p)
{
    const uintptr_t low = p->low, high = p->high;
    p->low = p->high = 0;
    if (low == high)
        return;
    if (p->last == NONE || !join(&list[p->last], low, high - low)) {
        p->entries++;
        if (nlist == MOST || (p->entries > ENTRIES && !uk_exposed_all && births % p->entries >= ENTRIES)) {
            full = true;
            return;
        }
        if (p->entries <= ENTRIES || uk_exposed_all)
            p->last = (int)nlist++;
        else
            full = true; // one of them takes the place of the last
        list[p->last] = (struct uk_exposed_runs){.born = p->born,
                                                 .low = low,
                                                 .site = p->site,
                                                 .size = high - low,
                                                 .n = 1,
                                                 .how = p->how,
                                                 .thread = p->thread};
    }
    list[p->last].sparse |= p->sparse;
}

static struct place *place_of(uintptr_t site, int how, int thread)
{
    const unsigned first = (site + (uintptr_t)how) * UINT64_C(0x9e3779b97f4a7c15) >> 57;
    struct place *p;
    for (unsigned i = 0; i < NEAR; i++) {
        p = &places[(first + i) % PLACES];
        if (p->site == site && p->how == how && p->thread == thread)
            return p;
        if (!p->site)
            break;
    }
    finish(p);
    *p = (struct place){.site = site, .how = how, .thread = thread, .last = NONE};
    nplaces = nplaces > (unsigned)(p - places) ? nplaces : (unsigned)(p - places) + 1;
    return p;
}

static void finish_all(void)
{
    for (unsigned i = 0; i < nplaces; i++)
        if (places[i].site) {
            finish(&places[i]);
            places[i] = (struct place){.last = NONE};
        }
    nplaces = 0;
}

// Takes in an access by which the rank may have waited for others: what follows it is recorded after it. Several in a
// row are recorded once for each place in memory and kind, as far as there are few.
static void order(uintptr_t at, size_t size, int how, uintptr_t site, int thread)
{
    enum { FEW = 32 };
    if (ordered == FEW)
        return;
    for (unsigned i = 0; i < ordered && i < nlist; i++)
        if (list[nlist - 1 - i].low == at && list[nlist - 1 - i].size == size && list[nlist - 1 - i].how == how)
            return;
    if (ordered++ == 0)
        finish_all();
    if (nlist == MOST) {
        nlist--;
        full = true;
    }
    list[nlist++] = (struct uk_exposed_runs){
        .born = births++, .low = at, .site = site, .size = size, .n = 1, .how = how, .thread = thread};
}

// Takes the mark from what is in a run as a whole, and beyond what has to be looked at.
static void withdraw(const struct window *w, struct place *p, uintptr_t low, uintptr_t high, bool up)
{
    const unsigned char bits = p->how & UK_ACCESS_STORE ? both : UK_SHADOW_WINDOW_LOADS;
    if ((p->hits > OFTEN && !uk_exposed_all) || (p->hits > 1 && too_much)) {
        uintptr_t skip = too_much ? MOST_SKIP : LEAST_SKIP;
        for (unsigned n = p->hits / OFTEN; n > 1 && skip < MOST_SKIP; n /= 2)
            skip *= 2;
        p->sparse = true;
        if (up)
            high = (high + skip) & ~(skip - 1);
        else
            low = (low - skip) & ~(skip - 1);
        low = low < w->low ? w->low : low;
        high = high > w->high ? w->high : high;
        unmark(low, high, bits);
        return;
    }
    // Of the bytes at its ends, another place may access what it has not, or they are in another window.
    const uintptr_t from = (p->low + 7) & ~(uintptr_t)7, to = p->high & ~(uintptr_t)7;
    low &= ~(uintptr_t)7;
    high = (high + 7) & ~(uintptr_t)7;
    low = low < from ? from : low;
    high = high > to ? to : high;
    if (low < high)
        unmark(low, high, bits);
}

// Takes in an access to some of a window.
static void take(const struct window *w, uintptr_t low, uintptr_t high, int how, uintptr_t site, int thread)
{
    low = low < w->low ? w->low : low;
    high = high > w->high ? w->high : high;
    if (how & UK_ACCESS_ORDERS) {
        order(low, high - low, how, site, thread);
        return;
    }
    ordered = 0;
    struct place *p = place_of(site, how, thread);
    if (++p->hits % OFTEN == 0)
        account();
    bool up = true;
    if (p->low == p->high) {
        p->born = births++;
        p->low = low;
        p->high = high;
    } else if (low <= p->high && high >= p->low) {
        up = high >= p->high;
        p->low = low < p->low ? low : p->low;
        p->high = high > p->high ? high : p->high;
    } else {
        up = low >= p->low;
        finish(p);
        p->born = births++;
        p->low = low;
        p->high = high;
    }
    withdraw(w, p, low, high, up);
}

bool uk_exposed_touch(uintptr_t at, size_t size, int how, uintptr_t site, int thread)
{
    static unsigned recent; // most accesses are to one window
    spent += TOUCH_COSTS;
    const uintptr_t low = at, high = at + size;
    if (recent < nwindows && low >= windows[recent].low && high <= windows[recent].high) {
        take(&windows[recent], low, high, how, site, thread);
        return true;
    }
    bool met = false;
    for (unsigned i = 0; i < nwindows; i++)
        if (low < windows[i].high && windows[i].low < high) {
            take(&windows[i], low, high, how, site, thread);
            recent = i;
            met = true;
        }
    return met;
}

bool uk_exposed_wanted(uintptr_t site)
{
    enum { CALLS = 256, ALL = 8, SELDOM = 128 };
    static struct {
        uintptr_t site;
        uint32_t times;
    } calls[CALLS];
    account();
    if (uk_exposed_all && !too_much)
        return true;
    const uint64_t mix = UINT64_C(0x9e3779b97f4a7c15);
    unsigned at = site * mix >> 56;
    for (unsigned i = 0; i < NEAR && calls[at].site && calls[at].site != site; i++)
        at = (at + 1) % CALLS;
    if (!calls[at].site)
        calls[at].site = site;
    const uint32_t n = ++calls[at].times;                      // of several sites, if there are too many
    return too_much ? n == 1 : n <= ALL || n * mix >> 57 == 0; // one in SELDOM, at no period that the program may have
    _Static_assert(SELDOM == 1 << (64 - 57), "the bits that are looked at");
}

// Marks runs again, where they still are in a window, or has that be done later.
static void mark_again(const struct uk_exposed_runs *r, bool now)
{
    if (r->how & UK_ACCESS_ORDERS)
        return;
    const size_t length = r->size + (r->n - 1) * (size_t)r->stride;
    for (unsigned i = 0; i < nwindows; i++) {
        struct window *w = &windows[i];
        const uintptr_t more = r->sparse ? MOST_SKIP : 0;
        uintptr_t low = r->low - more < w->low ? w->low : r->low - more,
                  high = r->low + length + more > w->high ? w->high : r->low + length + more;
        if (low >= high)
            continue;
        if (!now) {
            const bool none = w->from == w->to;
            w->from = none || low < w->from ? low : w->from;
            w->to = none || high > w->to ? high : w->to;
            continue;
        }
        if (r->sparse || r->n == 1) {
            mark(low, high);
            continue;
        }
        for (size_t k = 0; k < r->n; k++) {
            low = r->low + k * (size_t)r->stride;
            if (low < w->high && w->low < low + r->size)
                mark(low < w->low ? w->low : low, low + r->size > w->high ? w->high : low + r->size);
        }
    }
}

// In the order of the first accesses, so that the same is recorded whatever the addresses are (D. L. Shell, 1959).
static void sort(void)
{
    for (unsigned gap = nlist / 2; gap > 0; gap /= 2)
        for (unsigned i = gap; i < nlist; i++) {
            const struct uk_exposed_runs r = list[i];
            unsigned at = i;
            for (; at >= gap && list[at - gap].born > r.born; at -= gap)
                list[at] = list[at - gap];
            list[at] = r;
        }
}

void uk_exposed_tell(void (*tell)(void *, const struct uk_exposed_runs *), void *to, bool again)
{
    finish_all();
    sort();
    ordered = 0;
    for (unsigned i = 0; i < nlist; i++) {
        struct uk_exposed_runs *r = &list[i];
        if (r->stride < 0) { // from the lowest on
            r->low += (uintptr_t)r->stride * (r->n - 1);
            r->stride = -r->stride;
        }
        tell(to, r);
        spent += RUN_COSTS;
        mark_again(r, again);
    }
    for (unsigned i = 0; i < nwindows; i++) {
        struct window *w = &windows[i];
        if (full) {
            w->from = w->low;
            w->to = w->high;
        }
        if (again && w->from < w->to) {
            mark(w->from, w->to);
            w->from = w->to = 0;
        }
    }
    nlist = 0;
    full = false;
}
