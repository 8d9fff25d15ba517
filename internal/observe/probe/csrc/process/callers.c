#pragma GCC optimize("O2")
// Callers of calls: see callers.h. To walk up the stack takes microseconds, so it is done once for each way to a call.
// What is kept of a way is where on the stack its return addresses are and what they are. A frame has one size at one
// place in its function (except for one whose size the program computes), so a later call that returns to the same
// place, with its frame at the same address, and finds all these return addresses where they were, has come by the same
// way. To look at them takes four instructions for each.
//
// What callers are is recorded once, before the first record that has their number. Numbers are the process's, tables
// the thread's, so that each ring explains what is in it.
//
// Runs: uk_callers_site in each recorded call, on the thread that makes it.
//
// Never: allocates but by mmap, when a ring is made; sets errno. Reads the thread's own stack only, between the call's
// frame and the end of the stack: on another one (a coroutine's, a signal's) nothing is known. It locks nothing, except
// what the unwinder may take, in C libraries before 2.35: the dynamic linker's lock, which a thread can take twice. A
// jump may leave it at any instruction: what was kept by then is complete, or not found.
#define _GNU_SOURCE
#include "process/callers.h"
#include "process/process.h"
#include <errno.h>
#include <link.h>
#include <sys/mman.h>
#include <unwind.h>

enum {
    DEEPEST = 40, // callers that are kept of a call
    BUCKETS = 1024,
    WORDS = 1 << 17, // for ways
    NAMED = 4096,    // places for numbers of callers, of which half are taken at most
    FREE = 1024,     // walks that cost nothing, and then
    SHARE = 256,     // records that a walk is worth
    NEAR = 4,        // ways that stay where they are
};

struct uk_callers {
    uint32_t first[BUCKETS]; // ways, as next
    uint32_t used;           // words
    uint32_t walks, named;
    struct {
        uint64_t hash;
        uint64_t number;
    } names[NAMED];
    uint64_t words[WORDS];
};

// The code of the C library: who calls main, or the function of a thread, is of no use to anybody.
static struct {
    uintptr_t low, high;
} c_library;

static int of_c_library(struct dl_phdr_info *info, size_t size, void *at)
{
    (void)size;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const uintptr_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, high = low + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (uintptr_t)at >= low && (uintptr_t)at < high) {
            c_library.low = low;
            c_library.high = high;
            return 1;
        }
    }
    return 0;
}

// Stands before the first call, and for all of a thread whose callers are not known.
static struct uk_way nowhere = {.after = &nowhere};

void uk_callers_create(struct uk_thread *t)
{
    t->callers = NULL;
    t->way = &nowhere;
    if (uk_process.python)
        return;
    if (c_library.high == 0)
        dl_iterate_phdr(of_c_library, uk_sym("__libc_start_main"));
    struct uk_callers *c = uk_pages(sizeof *c);
    if (!c)
        return;
    struct uk_way *begin = (struct uk_way *)(c->words + 1); // 0 stands for none
    begin->after = &nowhere;
    c->used = 1 + sizeof *begin / sizeof *c->words;
    t->way = begin;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->callers = c;
}

void uk_callers_leave(struct uk_thread *t)
{
    struct uk_callers *c = t->callers;
    if (!c)
        return;
    t->callers = NULL;
    t->way = &nowhere;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); // a signal handler must not find memory that is gone
    munmap(c, sizeof *c);
}

static inline unsigned bucket_of(const void *ra, void *const *frame)
{
    return (unsigned)((((uintptr_t)ra ^ (uintptr_t)frame << 20) * 0x9e3779b97f4a7c15u) >> 54);
}
_Static_assert(BUCKETS == 1 << 10, "hash values are cut to ten bits");

// A walk up the stack: where each return address is, and what it is, from the one of the call in hand on.
struct walk {
    const void *ra;
    uintptr_t low, high; // of the stack
    bool found;          // the call in hand
    unsigned n;
    uint64_t pairs[2 * DEEPEST];
#if defined __aarch64__
    void **link; // the frame record to come
#endif
};

// The place of the return address pc, 0 if it is not certain. On x86-64 that is right below what the stack pointer was
// before the call. On AArch64 a function may keep it anywhere, except for the frame records that are linked.
static uintptr_t place_of(struct walk *w, struct _Unwind_Context *context, uintptr_t pc)
{
#if defined __aarch64__
    (void)context;
    void **link = w->link;
    if ((uintptr_t)link < w->low || (uintptr_t)link + 2 * sizeof *link > w->high || (uintptr_t)link[1] != pc)
        return 0;
    w->link = link[0];
    return (uintptr_t)(link + 1);
#else
    const uintptr_t at = (uintptr_t)_Unwind_GetCFA(context) - sizeof(void *);
    return at >= w->low && at < w->high && at % sizeof(void *) == 0 && *(uintptr_t *)at == pc ? at : 0;
#endif
}

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *of)
{
    struct walk *w = of;
    const uintptr_t pc = _Unwind_GetIP(context);
    if (!w->found) {
        w->found = pc == (uintptr_t)w->ra;
#if defined __aarch64__
        if (w->found)
            for (void **at = uk_call.frame; (uintptr_t)at >= w->low && (uintptr_t)at + 2 * sizeof *at <= w->high;
                 at = at[0]) {
                w->link = at[0];
                if (at[1] == w->ra || (void **)at[0] <= at)
                    break;
            }
#endif
        return _URC_NO_REASON;
    }
    const uintptr_t at = pc == 0 || w->n == DEEPEST ? 0 : place_of(w, context, pc);
    if (at == 0)
        return _URC_END_OF_STACK;
    w->pairs[2 * w->n] = at;
    w->pairs[2 * w->n++ + 1] = pc;
    return _URC_NO_REASON;
}

// Leaves out who has called main, or the function of a thread.
static void trim(struct walk *w)
{
    for (unsigned i = w->n < 4 ? 0 : w->n - 4; i < w->n; i++) {
        const uint64_t pc = w->pairs[2 * i + 1];
        if (pc >= c_library.low && pc < c_library.high) {
            w->n = i;
            return;
        }
    }
}

static uint64_t last_number;

// The number of callers, which is recorded now if they have none; 0 if there is none left.
static uint64_t number_of(struct uk_thread *t, struct uk_callers *c, const struct walk *w)
{
    uint64_t hash = 0xcbf29ce484222325u, words[UK_DATA_CALLERS_FIXED + DEEPEST];
    for (unsigned i = 0; i < w->n; i++) {
        const uint64_t pc = words[UK_DATA_CALLERS_FIXED + i] = w->pairs[2 * i + 1];
        hash = (hash ^ hash >> 29 ^ pc) * 0x9e3779b97f4a7c15u;
    }
    hash |= 1;
    unsigned i = (unsigned)(hash >> 40) % NAMED;
    for (; c->names[i].hash != 0; i = (i + 1) % NAMED)
        if (c->names[i].hash == hash)
            return c->names[i].number;
    if (c->named == NAMED / 2 || __atomic_load_n(&last_number, __ATOMIC_RELAXED) >= UK_CALLERS_MOST)
        return 0;
    const uint64_t number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
    if (number > UK_CALLERS_MOST)
        return 0;
    words[UK_DATA_CALLERS_NUMBER] = number;
    words[UK_DATA_CALLERS_PCS] = w->n;
    const struct uk_chunk chunk = {words, UK_DATA_CALLERS_FIXED + w->n, UK_WORDS};
    uk_long(t, UK_DATA_CALLERS, UK_DATA, 0, &chunk, 1);
    c->named++;
    c->names[i].number = number;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    c->names[i].hash = hash;
    return number;
}

// Walks up the stack, and keeps the way to the call. NULL if it cannot be known.
static __attribute__((noinline, cold)) struct uk_way *learn(struct uk_thread *t, struct uk_callers *c, void *ra,
                                                            void **frame)
{
    const uint64_t plain = (uint64_t)(uintptr_t)ra;
    const uintptr_t high = uk_memory_stack_end((uintptr_t)frame);
    if (high == 0 || plain >> UK_CALLERS_SHIFT != 0 || (c->walks >= FREE && c->walks > uk_stamps.last / SHARE))
        return NULL;
    const int keep = errno;
    struct walk w = {.ra = ra, .low = (uintptr_t)frame, .high = high};
    c->walks++;
    _Unwind_Backtrace(step, &w);
    errno = keep;
    trim(&w);
    const unsigned words = sizeof(struct uk_way) / sizeof(uint64_t) + 2 * w.n;
    if (!w.found || c->used + words > WORDS)
        return NULL;
    const uint64_t number = number_of(t, c, &w);
    if (number == 0)
        return NULL;
    const uint32_t at = c->used;
    c->used += words;
    struct uk_way *way = (struct uk_way *)(c->words + at);
    uint32_t *first = &c->first[bucket_of(ra, frame)];
    *way = (struct uk_way){ra, frame, plain | number << UK_CALLERS_SHIFT, &nowhere, way->pairs + 2 * w.n, *first};
    for (unsigned i = 0; i < 2 * w.n; i++)
        way->pairs[i] = w.pairs[i];
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    *first = at;
    return way;
}

static struct uk_way *find(struct uk_thread *t, struct uk_callers *c, void *ra, void **frame)
{
    uint32_t *first = &c->first[bucket_of(ra, frame)], before = 0;
    unsigned nth = 0;
    for (uint32_t at = *first; at != 0; nth++) {
        struct uk_way *w = (struct uk_way *)(c->words + at);
        if (w->ra == ra && w->frame == frame && uk_came_by(w)) {
            if (UK_UNLIKELY(nth >= NEAR)) { // a jump in between loses ways, which are learned again
                ((struct uk_way *)(c->words + before))->next = w->next;
                w->next = *first;
                *first = at;
            }
            return w;
        }
        before = at;
        at = w->next;
    }
    return learn(t, c, ra, frame);
}

__attribute__((noinline)) uint64_t uk_callers_look(struct uk_thread *t, void *ra, void **frame)
{
    struct uk_callers *c = t->callers;
    struct uk_way *w = c ? find(t, c, ra, frame) : NULL;
    if (!w)
        return (uint64_t)(uintptr_t)ra;
    t->way->after = w;
    t->way = w;
    return w->site;
}

uint64_t uk_site_of(struct uk_thread *t, void *ra, void **frame)
{
    if (uk_process.python)
        return uk_python_site(t, ra);
    if (t->fortran_slot && uk_from_fortran(t))
        ra = t->fortran_ra;
    if (UK_UNLIKELY(uk_process.meeting))
        uk_meet_call(ra);
    return uk_callers_look(t, ra, frame);
}
