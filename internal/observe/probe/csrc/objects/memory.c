// What memory.h says.
//
// Runs: uk_memory_init at MPI_Init and uk_memory_thread at a thread's first call: these read files of the kernel's, and
// allocate. The others in recorded calls, but uk_memory_thread_started outside of them too: it is one store.
//
// Never: in a call, locks or allocates; the library that follows the heap has locks of its own, which it holds for a
// few instructions and around no call. Never looks at a stack but the thread's own, as only there nobody else moves.
#define _GNU_SOURCE
#include "objects/memory.h"
#include "objects/heap.h"
#include "objects/marks.h"
#include "objects/reuse.h"
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// The library that follows the heap, or nulls.
static uk_heap_find_type *find_block;
static uk_heap_dead_type *find_dead;
static uk_heap_freed_type *take_freed;
static const unsigned *news;

// Finds arrays of an interpreter, or NULL.
static uk_memory_arrays *find_array;

static struct uk_thread *first; // that has initialised MPI

// A thread's own stack, and the lowest buffer there that somebody may still use; without one, the highest address.
static __thread struct {
    uintptr_t low, high, lowest;
} stack __attribute__((tls_model("initial-exec")));

// The stack pointer of the program at a call of it, or less.
static uintptr_t pointer(void *const *frame)
{
#if defined __x86_64__
    return (uintptr_t)(frame + 2); // above the frame pointer that the wrapper has saved and its return address
#else
    return (uintptr_t)frame;
#endif
}

// Asked several times in most calls.
__attribute__((always_inline)) static inline bool on_stack(uintptr_t at)
{
    return at - stack.low < stack.high - stack.low;
}

// The program's own variables, and where the heap begins that grows upwards from behind them. The C library keeps its
// end.
static struct {
    uintptr_t low, high;
} variables, heap;
static void *const *heap_end;

// The program comes first in the list of what is loaded.
static int of_program(struct dl_phdr_info *info, size_t size, void *none)
{
    (void)size;
    (void)none;
    for (unsigned i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && (info->dlpi_phdr[i].p_flags & PF_W)) {
            variables.low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            variables.high = variables.low + info->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static void find_heap(void)
{
    FILE *f = fopen("/proc/self/maps", "re");
    char line[512];
    unsigned long low, high;
    while (f && fgets(line, sizeof line, f))
        if (strstr(line, " [heap]") && sscanf(line, "%lx-%lx", &low, &high) == 2) {
            heap.low = low;
            heap_end = dlsym(RTLD_DEFAULT, "__curbrk");
            break;
        }
    if (f)
        fclose(f);
}

static bool multithreaded;

void uk_memory_thread_started(void)
{
    __atomic_store_n(&multithreaded, true, __ATOMIC_RELAXED);
}

bool uk_memory_multithreaded(void)
{
    return __atomic_load_n(&multithreaded, __ATOMIC_RELAXED);
}

bool uk_memory_stays(uintptr_t low, uintptr_t high)
{
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (low >= here && high <= stack.high)
        return on_stack(here);
    if (low >= variables.low && high <= variables.high)
        return true;
    return heap_end && low >= heap.low && high <= (uintptr_t)__atomic_load_n(heap_end, __ATOMIC_RELAXED) &&
           !uk_memory_multithreaded();
}

bool uk_memory_fixed(uintptr_t at)
{
    return on_stack(at) || at - variables.low < variables.high - variables.low;
}

uintptr_t uk_memory_stack_end(uintptr_t at)
{
    return on_stack(at) ? stack.high : 0;
}

void uk_memory_init(void)
{
    first = &uk_self;
    dl_iterate_phdr(of_program, NULL);
    find_heap();
    find_block = (uk_heap_find_type *)dlsym(RTLD_DEFAULT, UK_HEAP_FIND);
    find_dead = (uk_heap_dead_type *)dlsym(RTLD_DEFAULT, UK_HEAP_DEAD);
    take_freed = (uk_heap_freed_type *)dlsym(RTLD_DEFAULT, UK_HEAP_FREED);
    news = dlsym(RTLD_DEFAULT, UK_HEAP_NEWS);
    if (!find_dead || !take_freed || !news)
        find_block = NULL;
}

// Sets what is looked at: with the heap known, every call and every buffer; every buffer where there may be arrays.
static void watch(struct uk_thread *t)
{
    const bool all = find_block || find_array || t->follows;
    __atomic_store_n(&t->mark, find_block ? 0 : stack.lowest, __ATOMIC_RELAXED);
    t->low = all ? 0 : stack.low;
    t->reach = all ? UINTPTR_MAX : stack.high - stack.low;
}

void uk_memory_follows(struct uk_thread *t)
{
    watch(t);
}

void uk_memory_thread_begins(void)
{
    pthread_attr_t attr;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) != 0)
        return;
    if (pthread_attr_getstack(&attr, &low, &size) == 0 && size > 0)
        uk_reuse_given_back((uintptr_t)low, (uintptr_t)low + size);
    pthread_attr_destroy(&attr);
}

void uk_memory_has_arrays(uk_memory_arrays *find)
{
    find_array = find;
}

void uk_memory_thread(struct uk_thread *t)
{
    pthread_attr_t attr;
    void *low = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attr) == 0) {
        if (pthread_attr_getstack(&attr, &low, &size) != 0)
            size = 0;
        pthread_attr_destroy(&attr);
    }
    stack.low = (uintptr_t)low;
    stack.high = stack.low + size;
    stack.lowest = UINTPTR_MAX;
    watch(t);
    if (size == 0)
        return;
    uint64_t *w = uk_begin(t, UK_DATA_STACK, UK_DATA, 0, UK_DATA_STACK_FIXED);
    w[UK_DATA_STACK_RANGE_FROM] = stack.low;
    w[UK_DATA_STACK_RANGE_TO] = stack.high;
    uk_commit(t);
}

static void tell_freed(struct uk_thread *t)
{
    struct uk_heap_block some[8];
    size_t n;
    while ((n = take_freed(some, sizeof some / sizeof *some)) > 0)
        for (size_t i = 0; i < n; i++) {
            uint64_t *w = uk_begin(t, UK_DATA_FREED, UK_DATA, 0, UK_DATA_FREED_FIXED);
            w[UK_DATA_FREED_RANGE_FROM] = some[i].from;
            w[UK_DATA_FREED_RANGE_TO] = some[i].to;
            w[UK_DATA_FREED_HOW] = some[i].how;
            w[UK_DATA_FREED_SITE] = (uint64_t)(uintptr_t)some[i].site;
            uk_commit(t);
        }
}

// What was freed of memory that operations use.
enum { FREED = 16 };
static struct uk_freed freed[FREED];
static unsigned nfreed;
static bool freed_held;

static bool take_list(void)
{
    enum { LOOKS = 1000 };
    for (unsigned i = 0; __atomic_exchange_n(&freed_held, true, __ATOMIC_ACQUIRE); i++)
        if (i >= LOOKS)
            return false;
    return true;
}

void uk_memory_freed(const struct uk_freed *f)
{
    struct uk_thread *t = &uk_self;
    if (!take_list())
        return;
    if (nfreed < FREED) {
        freed[nfreed] = *f;
        __atomic_store_n(&nfreed, nfreed + 1, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&freed_held, false, __ATOMIC_RELEASE);
    __atomic_store_n(t->gate == UK_OPEN ? &t->mark : &first->mark, 0, __ATOMIC_RELAXED);
}

static void tell_used(struct uk_thread *t)
{
    struct uk_freed mine[FREED];
    if (UK_LIKELY(__atomic_load_n(&nfreed, __ATOMIC_RELAXED) == 0) || !take_list())
        return;
    const unsigned n = nfreed;
    memcpy(mine, freed, n * sizeof *mine);
    __atomic_store_n(&nfreed, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&freed_held, false, __ATOMIC_RELEASE);
    for (unsigned i = 0; i < n; i++) {
        const struct uk_freed *f = &mine[i];
        uint64_t *w = uk_begin(t, UK_DATA_FREED, UK_DATA, 0, UK_DATA_FREED_FIXED + (unsigned)f->n);
        w[UK_DATA_FREED_RANGE_FROM] = f->from;
        w[UK_DATA_FREED_RANGE_TO] = f->to;
        w[UK_DATA_FREED_HOW] = f->how;
        w[UK_DATA_FREED_SITE] = f->site;
        for (unsigned k = 0; k < f->n; k++)
            w[UK_DATA_FREED_FIXED + k] = (uint64_t)(uintptr_t)f->stack[k];
        uk_commit(t);
    }
}

void uk_memory_call(struct uk_thread *t, void **frame)
{
    uintptr_t now = pointer(frame);
    // On another stack (of a signal handler, of a coroutine) nothing is known of the frames of this one.
    const bool left = now > stack.lowest && on_stack((uintptr_t)frame);
    if (left)
        stack.lowest = now; // recorded again once this frame is gone too
    watch(t);               // marks.c has this called once for what comes before that
    uk_marks_tell(t);
    uk_marks_tell_windows(t);
    if (left) {
        uint64_t *w = uk_begin(t, UK_DATA_BELOW, UK_DATA, 0, UK_DATA_BELOW_FIXED);
        w[UK_DATA_BELOW_RANGE_FROM] = stack.low;
        w[UK_DATA_BELOW_RANGE_TO] = now;
        uk_commit(t);
    }
    tell_used(t);
    if (find_block && __atomic_load_n(news, __ATOMIC_ACQUIRE))
        tell_freed(t);
}

static void tell(struct uk_thread *t, unsigned param, unsigned state, const struct uk_heap_block *b)
{
    uint64_t *w = uk_begin(t, UK_DATA_MEMORY, UK_DATA, 0, UK_DATA_MEMORY_FIXED);
    w[UK_DATA_MEMORY_PARAM] = param;
    w[UK_DATA_MEMORY_STATE] = state;
    w[UK_DATA_MEMORY_RANGE_FROM] = b->from;
    w[UK_DATA_MEMORY_RANGE_TO] = b->to;
    w[UK_DATA_MEMORY_FREED] = (uint64_t)(uintptr_t)b->site;
    uk_commit(t);
}

static void tell_array(struct uk_thread *t, unsigned param, uintptr_t at)
{
    struct uk_array a;
    if (!find_array(at, &a))
        return;
    const uint64_t words[] = {
        [UK_DATA_ARRAY_PARAM] = param,     [UK_DATA_ARRAY_KIND] = a.kind,      [UK_DATA_ARRAY_RANGE_FROM] = a.from,
        [UK_DATA_ARRAY_RANGE_TO] = a.to,   [UK_DATA_ARRAY_WHOLE_FROM] = a.low, [UK_DATA_ARRAY_WHOLE_TO] = a.high,
        [UK_DATA_ARRAY_FORMAT] = a.length,
    };
    const struct uk_chunk chunks[] = {{words, UK_DATA_ARRAY_FIXED, UK_WORDS}, {a.format, a.length, UK_BYTES}};
    uk_long(t, UK_DATA_ARRAY, UK_DATA, 0, chunks, 2);
}

// Where another thread may use the same memory: whether it is the same is recorded, as far as it has changed.
static void tell_reuse(struct uk_thread *t, uintptr_t at)
{
    static __thread uint64_t recorded __attribute__((tls_model("initial-exec")));
    const uint64_t times = uk_reuse_uses(at);
    if (UK_LIKELY(times == recorded))
        return;
    recorded = times;
    uint64_t *w = uk_begin(t, UK_DATA_REUSED, UK_DATA, 0, UK_DATA_REUSED_FIXED);
    w[UK_DATA_REUSED_TIMES] = times;
    uk_commit(t);
}

void uk_memory_buffer(struct uk_thread *t, unsigned param, uintptr_t at, bool stays)
{
    if (t->follows && uk_memory_multithreaded() && at - variables.low >= variables.high - variables.low)
        tell_reuse(t, at);
    struct uk_heap_block b = {0};
    if (on_stack(at)) {
        if (!on_stack((uintptr_t)uk_call.frame))
            return;
        uintptr_t now = pointer(uk_call.frame);
        if (at < now) {
            b.from = stack.low;
            b.to = now;
            tell(t, param, UK_MEMORY_BELOW, &b);
        } else if (stays && at < stack.lowest) {
            stack.lowest = at;
            watch(t);
        }
        return;
    }
    // Constants such as MPI_IN_PLACE are no addresses.
    const uintptr_t page = 4096;
    if (at < page || at > UINTPTR_MAX - page)
        return;
    if (find_array)
        tell_array(t, param, at);
    if (!find_block)
        return;
    if (find_block(at, &b))
        tell(t, param, UK_MEMORY_BLOCK, &b);
    else if (find_dead(at, &b))
        tell(t, param, UK_MEMORY_FREED, &b);
}
