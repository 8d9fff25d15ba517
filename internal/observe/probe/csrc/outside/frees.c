// What frees.h says.
//
// Runs: wherever the program or a library frees memory, on every thread, from the process's first instructions on, in
// signal handlers and in a child after fork.
//
// Never: while nobody wants to know, does more than one test and a jump. Locks, allocates or sets errno; changes what
// the functions do. Those that stand behind these are looked up in a constructor, or for what is freed before that;
// what dlsym frees meanwhile is left.
#define _GNU_SOURCE
#pragma GCC optimize("O2") // a jump to the real function, no call
#include "outside/frees.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

size_t uk_frees_wanted;
bool uk_frees_all;
void (*uk_frees)(uintptr_t, size_t, enum uk_freed_how, void *);

static struct {
    void (*free)(void *);
    void *(*realloc)(void *, size_t);
    void *(*reallocarray)(void *, size_t, size_t);
    int (*munmap)(void *, size_t);
    size_t (*usable)(void *);
} real;
static bool resolving;

static void resolve(void)
{
    resolving = true;
#define FIND(field, name) \
    __atomic_store_n(&real.field, (__typeof__(real.field))dlsym(RTLD_NEXT, name), __ATOMIC_RELAXED)
    FIND(usable, "malloc_usable_size");
    FIND(realloc, "realloc");
    FIND(reallocarray, "reallocarray");
    FIND(munmap, "munmap");
    FIND(free, "free");
#undef FIND
    resolving = false;
}

__attribute__((constructor)) static void begin(void)
{
    if (!real.free)
        resolve();
}

// Tells that memory is given back.
static inline void given_back(uintptr_t from, size_t size, enum uk_freed_how how, void *site)
{
    void (*tell)(uintptr_t, size_t, enum uk_freed_how, void *) = __atomic_load_n(&uk_frees, __ATOMIC_RELAXED);
    if (size > 0 && tell)
        tell(from, size, how, site);
}

static inline bool wanted(void)
{
    return UNLIKELY(__atomic_load_n(&uk_frees_wanted, __ATOMIC_RELAXED) != 0 ||
                    __atomic_load_n(&uk_frees_all, __ATOMIC_RELAXED));
}

static __attribute__((noinline)) void block_given_back(void *p, enum uk_freed_how how, void *site)
{
    if (p && real.usable)
        given_back((uintptr_t)p, real.usable(p), how, site);
}

API void free(void *p)
{
    void (*next)(void *) = __atomic_load_n(&real.free, __ATOMIC_RELAXED);
    if (UNLIKELY(!next)) {
        if (resolving) // dlsym frees what it has got for itself
            return;
        resolve();
        if (!(next = real.free))
            return;
    }
    if (wanted())
        block_given_back(p, UK_HOW_FREE, __builtin_return_address(0));
    next(p);
}

static size_t before_resizing(void *p)
{
    const size_t size = real.usable(p);
    given_back((uintptr_t)p, size, UK_HOW_PERHAPS, NULL);
    return size;
}

// What realloc does not move is not freed. Whether it was, is only known when the memory may be another thread's; but
// the block was looked up before.
static void *resized(void *p, size_t old, void *q, size_t size, void *site)
{
    if (old > 0 && (q ? q != p : size == 0))
        given_back((uintptr_t)p, old, size == 0 ? UK_HOW_FREE : UK_HOW_REALLOC, site);
    return q;
}

API void *realloc(void *p, size_t size)
{
    if (UNLIKELY(!real.realloc)) {
        if (resolving)
            return NULL;
        resolve();
        if (!real.realloc)
            return NULL;
    }
    if (!wanted() || !p || !real.usable)
        return real.realloc(p, size);
    const size_t old = before_resizing(p);
    return resized(p, old, real.realloc(p, size), size, __builtin_return_address(0));
}

API void *reallocarray(void *p, size_t n, size_t size);
void *reallocarray(void *p, size_t n, size_t size)
{
    size_t bytes;
    if (UNLIKELY(!real.reallocarray) || !wanted() || !p || !real.usable || __builtin_mul_overflow(n, size, &bytes)) {
        if (real.reallocarray)
            return real.reallocarray(p, n, size);
        if (__builtin_mul_overflow(n, size, &bytes)) {
            errno = ENOMEM;
            return NULL;
        }
        return realloc(p, bytes);
    }
    const size_t old = before_resizing(p);
    return resized(p, old, real.reallocarray(p, n, size), bytes, __builtin_return_address(0));
}

API int munmap(void *at, size_t size)
{
    if (UNLIKELY(!real.munmap)) {
        if (!resolving)
            resolve();
        if (!real.munmap)
            return (int)syscall(SYS_munmap, at, size);
    }
    if (wanted())
        given_back((uintptr_t)at, size, UK_HOW_UNMAP, __builtin_return_address(0));
    return real.munmap(at, size);
}
