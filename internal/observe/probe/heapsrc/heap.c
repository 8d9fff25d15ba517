// Follows the blocks of the heap: a library that is preloaded beside the probe if buffers in the heap shall be checked.
// It stands before the C library's allocation functions, or those of another library, calls them, and keeps a table of
// the blocks that are alive. It changes nothing of what they do.
//
// Runs: wherever the program allocates, on every thread, at any time from the process's first instructions on, in its
// signal handlers and after a fork too.
//
// Never: allocates but by mmap, as it would call itself; holds a lock for more than a few instructions; uses the table
// in a child after fork, where a lock may be held forever. If a signal handler allocates in the midst of it, or two
// blocks seem to be at one place, the table is not trusted any more.
#define _GNU_SOURCE
#include "objects/heap.h"
#include "writer/ring.h"
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

// The functions that come after ours.
static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    void *(*memalign)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
    size_t (*usable)(void *);
    int (*munmap)(void *, size_t);
    void *(*sbrk)(intptr_t);
    int (*brk)(void *);
} real;
static bool resolved, resolving;

static bool off; // nothing is followed, or what was followed is not trusted any more
static __thread void *deleter __attribute__((tls_model("initial-exec"))); // where C++ deletes what free is about to be given
static uintptr_t first; // of the heap that grows by sbrk; 0 if nothing is known of freed blocks
static __thread bool busy __attribute__((tls_model("initial-exec"))); // this thread is inside of the table

// What dlsym allocates while the functions above are looked up. It is never freed.
static _Alignas(16) unsigned char early[1 << 16];
static size_t early_used;

static void *early_block(size_t size)
{
    size_t at = early_used;
    if (size > sizeof early - at - 16)
        return NULL;
    early_used = (at + size + 31) / 16 * 16;
    memcpy(early + at, &size, sizeof size);
    return early + at + 16;
}

static bool is_early(const void *p)
{
    return (const unsigned char *)p >= early && (const unsigned char *)p < early + sizeof early;
}

static void after_fork_in_child(void)
{
    __atomic_store_n(&off, true, __ATOMIC_RELAXED);
}

// Says whether a sanitizer has its own allocator in the process, which knows better.
static bool sanitized(void)
{
    static const char *const names[] = {"__asan_init", "__tsan_init", "__msan_init", "__hwasan_init", "__lsan_do_leak_check"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (dlsym(RTLD_DEFAULT, names[i]))
            return true;
    return false;
}

static void resolve(void)
{
    resolving = true;
#define FIND(name) real.name = (__typeof__(real.name))dlsym(RTLD_NEXT, #name)
    FIND(malloc);
    FIND(calloc);
    FIND(realloc);
    FIND(free);
    FIND(memalign);
    FIND(aligned_alloc);
    FIND(posix_memalign);
    FIND(valloc);
    FIND(pvalloc);
    FIND(munmap);
    FIND(sbrk);
    FIND(brk);
#undef FIND
    real.usable = (size_t(*)(void *))dlsym(RTLD_NEXT, "malloc_usable_size");
    off = !real.malloc || !real.free || !real.realloc || !real.calloc || !real.usable || sanitized();
    first = real.sbrk ? (uintptr_t)real.sbrk(0) : 0;
    if (first == UINTPTR_MAX)
        first = 0;
    resolving = false;
    __atomic_store_n(&resolved, true, __ATOMIC_RELEASE);
}

// False while the functions are being looked up, by this very thread: no other one exists yet.
static inline bool ready(void)
{
    if (UNLIKELY(!__atomic_load_n(&resolved, __ATOMIC_ACQUIRE))) {
        if (resolving)
            return false;
        resolve();
    }
    return true;
}

__attribute__((constructor)) static void begin(void)
{
    ready();
    pthread_atfork(NULL, NULL, after_fork_in_child);
}

// The table is in parts, each with a lock, by the hash of a window: a block whose usable size needs k bits begins in
// the window of 2^k bytes that its address is in. So an address inside of a block finds that in its own window or the
// one before, for one of the sizes that there are; and a window has two blocks at most.
struct entry {
    uintptr_t from; // 0 if the place is free, GONE if it was taken
    uint64_t size; // and USED
};
#define GONE UINTPTR_MAX
#define USED (UINT64_C(1) << 63)

struct dead {
    uintptr_t from, to;
    void *site;
    uint64_t how, when;
};

enum { PARTS = 64, GRAVES = 64, FIRST = 256, CLASSES = 48, QUEUE = 4096 };
static struct part {
    _Alignas(64) volatile int lock;
    struct entry *entries;
    size_t capacity, taken; // places; those that are not free, with those that were taken
    size_t live;
    struct dead graves[GRAVES];
    unsigned ndead;
} parts[PARTS];
static size_t classes[CLASSES]; // blocks alive of each
static uint64_t deaths;

// Blocks that were used and have been freed.
static struct {
    volatile int lock;
    struct uk_heap_block blocks[QUEUE];
    size_t n;
} queue;
extern unsigned uk_heap_news;
API unsigned uk_heap_news;

static void lock_it(volatile int *lock)
{
    busy = true;
    for (unsigned tries = 0; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); tries++)
        if (tries > 100)
            sched_yield();
}

static void unlock_it(volatile int *lock)
{
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
    busy = false;
}

static unsigned class_of(size_t usable)
{
    unsigned k = usable <= 32 ? 5 : 64 - (unsigned)__builtin_clzll(usable - 1);
    return k < CLASSES ? k : CLASSES - 1;
}

static uint64_t hash(uintptr_t window, unsigned class)
{
    uint64_t h = (window * 64 + class) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 29;
}

static struct entry *make(size_t capacity)
{
    void *p = mmap(NULL, capacity * sizeof(struct entry), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void put(struct part *p, uint64_t h, struct entry e)
{
    size_t i = h / PARTS & (p->capacity - 1);
    while (p->entries[i].from != 0 && p->entries[i].from != GONE)
        i = (i + 1) & (p->capacity - 1);
    p->taken += p->entries[i].from == 0;
    p->entries[i] = e;
}

static uint64_t hash_of(const struct entry *e, unsigned class)
{
    return hash(e->from >> class, class);
}

static bool grow(struct part *p)
{
    size_t capacity = p->capacity, want = FIRST;
    while (want < 3 * p->live)
        want *= 2;
    struct entry *old = p->entries, *entries = make(want);
    if (!entries)
        return false;
    p->entries = entries;
    p->capacity = want;
    p->taken = 0;
    for (size_t i = 0; i < capacity; i++)
        if (old[i].from != 0 && old[i].from != GONE)
            put(p, hash_of(&old[i], class_of(real.usable((void *)old[i].from))), old[i]);
    if (old)
        real.munmap(old, capacity * sizeof *old);
    return true;
}

// Takes in a block that has been given out.
static void born(void *at, size_t size)
{
    if (UNLIKELY(!at || off))
        return;
    if (UNLIKELY(busy)) { // a signal handler
        off = true;
        return;
    }
    int keep = errno;
    unsigned class = class_of(real.usable(at));
    uint64_t h = hash((uintptr_t)at >> class, class);
    struct part *p = &parts[h % PARTS];
    lock_it(&p->lock);
    if (UNLIKELY(2 * (p->taken + 1) > p->capacity) && !grow(p)) {
        off = true;
    } else {
        p->live++;
        put(p, h, (struct entry){(uintptr_t)at, size});
        __atomic_fetch_add(&classes[class], 1, __ATOMIC_RELAXED);
    }
    unlock_it(&p->lock);
    errno = keep;
}

// Finds the block at an address; NULL if there is none.
static struct entry *at_start(struct part *p, uint64_t h, uintptr_t at)
{
    if (!p->capacity)
        return NULL;
    for (size_t i = h / PARTS & (p->capacity - 1); p->entries[i].from != 0; i = (i + 1) & (p->capacity - 1))
        if (p->entries[i].from == at)
            return &p->entries[i];
    return NULL;
}

static void ended(const struct uk_heap_block *b)
{
    lock_it(&queue.lock);
    if (queue.n < QUEUE)
        queue.blocks[queue.n++] = *b;
    __atomic_store_n(&uk_heap_news, 1, __ATOMIC_RELEASE);
    unlock_it(&queue.lock);
}

// Takes in that a block is about to be given back, before it is: at once another thread may have it. What was known of
// it is returned, with size 0 if nothing.
static struct entry dies(void *at, void *site, uint64_t how)
{
    struct entry was = {0, 0};
    if (UNLIKELY(!at || off))
        return was;
    if (UNLIKELY(busy)) {
        off = true;
        return was;
    }
    unsigned class = class_of(real.usable(at));
    uint64_t h = hash((uintptr_t)at >> class, class);
    struct part *p = &parts[h % PARTS];
    lock_it(&p->lock);
    struct entry *e = at_start(p, h, (uintptr_t)at);
    if (LIKELY(e != NULL)) {
        was = *e;
        e->from = GONE;
        p->live--;
        __atomic_fetch_sub(&classes[class], 1, __ATOMIC_RELAXED);
        if (how)
            p->graves[p->ndead++ % GRAVES] =
                (struct dead){was.from, was.from + (was.size & ~USED), site, how, __atomic_fetch_add(&deaths, 1, __ATOMIC_RELAXED)};
    }
    unlock_it(&p->lock);
    if (UNLIKELY((was.size & USED) && how)) {
        struct uk_heap_block b = {was.from, was.from + (was.size & ~USED), site, how};
        ended(&b);
    }
    return was;
}

// Tells of a block that the probe knows and that realloc has moved.
static void moved(const struct entry *was, void *site)
{
    if (was->size & USED) {
        struct uk_heap_block b = {was->from, was->from + (was->size & ~USED), site, UK_FREED_REALLOC};
        ended(&b);
    }
}

API uk_heap_find_type uk_heap_find;
API uk_heap_dead_type uk_heap_dead;
API uk_heap_freed_type uk_heap_freed;

// Finds the blocks alive that hold an address: their number, and one of them.
static unsigned holding(uintptr_t at, struct uk_heap_block *b, bool use)
{
    unsigned found = 0;
    for (unsigned class = 5; class < CLASSES; class++) {
        if (__atomic_load_n(&classes[class], __ATOMIC_RELAXED) == 0)
            continue;
        for (unsigned back = 0; back < 2; back++) {
            uintptr_t window = (at >> class) - back;
            uint64_t h = hash(window, class);
            struct part *p = &parts[h % PARTS];
            lock_it(&p->lock);
            for (size_t i = p->capacity ? h / PARTS & (p->capacity - 1) : 0; p->capacity && p->entries[i].from != 0;
                 i = (i + 1) & (p->capacity - 1)) {
                struct entry *e = &p->entries[i];
                if (e->from != GONE && at >= e->from && at - e->from < (e->size & ~USED) && e->from >> class == window
                    && class_of(real.usable((void *)e->from)) == class) {
                    *b = (struct uk_heap_block){e->from, e->from + (e->size & ~USED), NULL, 0};
                    if (use)
                        e->size |= USED;
                    found++;
                }
            }
            unlock_it(&p->lock);
        }
    }
    return found;
}

bool uk_heap_find(uintptr_t at, struct uk_heap_block *b)
{
    if (off || !resolved || busy)
        return false;
    unsigned found = holding(at, b, true);
    if (found > 1) // one was freed by a way that is not seen here
        off = true;
    return found == 1;
}

bool uk_heap_dead(uintptr_t at, struct uk_heap_block *b)
{
    struct uk_heap_block none;
    // Other memory goes back to the kernel, which may have given it to anybody.
    if (off || !resolved || busy || first == 0 || at < first || at >= (uintptr_t)real.sbrk(0) || holding(at, &none, false))
        return false;
    bool found = false;
    uint64_t when = 0;
    for (struct part *p = parts; p < parts + PARTS; p++) {
        lock_it(&p->lock);
        for (unsigned i = 0; i < GRAVES; i++) {
            const struct dead *d = &p->graves[i];
            if (d->to > at && d->from <= at && (!found || d->when > when)) {
                *b = (struct uk_heap_block){d->from, d->to, d->site, d->how};
                found = true;
                when = d->when;
            }
        }
        unlock_it(&p->lock);
    }
    return found;
}

size_t uk_heap_freed(struct uk_heap_block *b, size_t n)
{
    if (busy)
        return 0;
    lock_it(&queue.lock);
    if (n > queue.n)
        n = queue.n;
    memcpy(b, queue.blocks, n * sizeof *b);
    queue.n -= n;
    memmove(queue.blocks, queue.blocks + n, queue.n * sizeof *b);
    __atomic_store_n(&uk_heap_news, queue.n > 0, __ATOMIC_RELEASE);
    unlock_it(&queue.lock);
    return n;
}

// The functions that stand before those of the library.

API void *malloc(size_t size)
{
    if (UNLIKELY(!ready()))
        return early_block(size);
    void *p = real.malloc(size);
    born(p, size);
    return p;
}

API void *calloc(size_t n, size_t size)
{
    if (UNLIKELY(!ready()))
        return size == 0 || n <= sizeof early / size ? early_block(n * size) : NULL;
    void *p = real.calloc(n, size);
    born(p, n * size);
    return p;
}

API void free(void *p)
{
    if (UNLIKELY(!ready()) || UNLIKELY(is_early(p)))
        return;
    int keep = errno;
    dies(p, deleter ? deleter : __builtin_return_address(0), UK_FREED_FREE);
    errno = keep;
    real.free(p);
}

// C++ frees by its operators, whose callers are the program. Each calls the one that would have been called.
#define DELETE(name, parameters, arguments) \
    API void name parameters; \
    void name parameters \
    { \
        static void(*next) parameters; \
        void(*f) parameters = __atomic_load_n(&next, __ATOMIC_RELAXED); \
        if (!f) { \
            f = (void(*) parameters)dlsym(RTLD_NEXT, #name); \
            __atomic_store_n(&next, f, __ATOMIC_RELAXED); \
        } \
        void *outer = deleter; /* one operator calls another */ \
        deleter = outer ? outer : __builtin_return_address(0); \
        if (f) \
            f arguments; \
        else \
            free(p); \
        deleter = outer; \
    }

DELETE(_ZdlPv, (void *p), (p))
DELETE(_ZdaPv, (void *p), (p))
DELETE(_ZdlPvm, (void *p, size_t size), (p, size))
DELETE(_ZdaPvm, (void *p, size_t size), (p, size))

static void *resize(void *p, size_t size, void *site)
{
    if (UNLIKELY(!ready()) || UNLIKELY(is_early(p))) {
        void *q = ready() ? malloc(size) : early_block(size);
        if (q && p) {
            size_t old;
            memcpy(&old, (unsigned char *)p - 16, sizeof old);
            memcpy(q, p, old < size ? old : size);
        }
        return q;
    }
    bool frees = p && size == 0;
    struct entry was = dies(p, site, frees ? UK_FREED_FREE : 0);
    void *q = real.realloc(p, size);
    if (q) {
        born(q, size);
        if (was.from && q != p)
            moved(&was, site);
        else if (was.size & USED)
            uk_heap_find((uintptr_t)q, &(struct uk_heap_block){0});
    } else if (was.from && !frees) { // it is still there
        born(p, was.size & ~USED);
        if (was.size & USED)
            uk_heap_find((uintptr_t)p, &(struct uk_heap_block){0});
    }
    return q;
}

API void *realloc(void *p, size_t size)
{
    return resize(p, size, __builtin_return_address(0));
}

API void *reallocarray(void *p, size_t n, size_t size);
void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(p, bytes, __builtin_return_address(0));
}

// Those with an alignment are not called while the functions are looked up.
#define ALIGNED(name, parameters, arguments, size) \
    API void *name parameters; \
    void *name parameters \
    { \
        if (UNLIKELY(!ready()) || !real.name) \
            return NULL; \
        void *p = real.name arguments; \
        born(p, size); \
        return p; \
    }

ALIGNED(memalign, (size_t alignment, size_t size), (alignment, size), size)
ALIGNED(aligned_alloc, (size_t alignment, size_t size), (alignment, size), size)
ALIGNED(valloc, (size_t size), (size), size)
ALIGNED(pvalloc, (size_t size), (size), real.usable(p))

API int posix_memalign(void **to, size_t alignment, size_t size)
{
    if (UNLIKELY(!ready()) || !real.posix_memalign)
        return ENOMEM;
    int rc = real.posix_memalign(to, alignment, size);
    if (rc == 0)
        born(*to, size);
    return rc;
}

// Whoever asks how long a block really is may use all of it.
API size_t malloc_usable_size(void *p);
size_t malloc_usable_size(void *p)
{
    if (UNLIKELY(!ready()) || !real.usable || is_early(p))
        return 0;
    size_t usable = real.usable(p);
    if (p && !off && !busy) {
        unsigned class = class_of(usable);
        uint64_t h = hash((uintptr_t)p >> class, class);
        struct part *part = &parts[h % PARTS];
        lock_it(&part->lock);
        struct entry *e = at_start(part, h, (uintptr_t)p);
        if (e)
            e->size = (e->size & USED) | usable;
        unlock_it(&part->lock);
    }
    return usable;
}

// What is unmapped is always reported: the probe does not know of the mappings that buffers lie in.
API int munmap(void *at, size_t size)
{
    if (UNLIKELY(!ready()) || !real.munmap)
        return -1;
    if (!off && !busy) {
        struct uk_heap_block b = {(uintptr_t)at, (uintptr_t)at + size, __builtin_return_address(0), UK_FREED_UNMAP};
        ended(&b);
    }
    return real.munmap(at, size);
}

// A program that moves the end of the heap by itself may have been given what was freed.
API void *sbrk(intptr_t by)
{
    if (UNLIKELY(!ready()) || !real.sbrk)
        return (void *)-1;
    if (by != 0)
        first = 0;
    return real.sbrk(by);
}

API int brk(void *to)
{
    if (UNLIKELY(!ready()) || !real.brk)
        return -1;
    first = 0;
    return real.brk(to);
}
