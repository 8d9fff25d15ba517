// The runtime that `unknot mpicc` links into each program and shared library: the shadow, and what compiled code calls
// before it loads or stores memory of which the probe wants to know. Without unknot it makes the shadow, in which
// nothing is ever marked.
//
// Runs: set_up before all code of the program; the others wherever the program accesses memory, in its signal handlers
// too.
//
// Never: allocates, locks or changes errno where the program accesses memory; ends the program, even where there is no
// shadow to be had: then pieces of it are made where it is looked at.
#define _GNU_SOURCE
#include "access.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define HIDDEN __attribute__((visibility("hidden")))
#define COLD __attribute__((noinline, cold))
// The compiler declares these functions itself, and differently.
#pragma GCC diagnostic ignored "-Wbuiltin-declaration-mismatch"

enum { PIECE = 1 << 20 };
#define PIECES ((UK_SHADOW_END - UK_SHADOW_OFFSET + PIECE - 1) / PIECE)

// The pieces that are ours, a bit for each; only the pages of it that are used take memory.
static unsigned char ours[PIECES / 8 + 1];
static struct sigaction before;
static int in_pieces; // the handler of SIGSEGV makes them

static int piece(uintptr_t n)
{
    if (__atomic_load_n(&ours[n / 8], __ATOMIC_ACQUIRE) >> n % 8 & 1)
        return 1;
    uintptr_t at = UK_SHADOW_OFFSET + n * PIECE;
    void *got = uk_map_at(at, PIECE);
    if (!got)
        return 0;
    madvise(got, PIECE, MADV_DONTDUMP);
    __atomic_or_fetch(&ours[n / 8], (unsigned char)(1u << n % 8), __ATOMIC_RELEASE);
    return 1;
}

static int room(uintptr_t low, uintptr_t high)
{
    if (high > UK_ACCESS_TOP || low >= high)
        return 0;
    if (uk_access_page()->shadow == UK_SHADOW_WHOLE)
        return 1;
    for (uintptr_t n = (low >> 3) / PIECE; n <= ((high - 1) >> 3) / PIECE; n++)
        if (!piece(n))
            return 0;
    return 1;
}

// A load from the shadow where it is not made yet.
static void faulted(int number, siginfo_t *info, void *context)
{
    uintptr_t at = (uintptr_t)info->si_addr;
    int keep = errno;
    if (at >= UK_SHADOW_OFFSET && at < UK_SHADOW_END && piece((at - UK_SHADOW_OFFSET) / PIECE)) {
        errno = keep;
        return;
    }
    errno = keep;
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(number, info, context);
    } else if (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN) {
        sigaction(number, &before, NULL); // the same instruction fails again, and does what it would have done
    } else {
        before.sa_handler(number);
    }
}

static void watch_faults(void)
{
    struct sigaction act = {.sa_sigaction = faulted, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER}, last;
    if (sigaction(SIGSEGV, &act, &last) == 0 && !((last.sa_flags & SA_SIGINFO) && last.sa_sigaction == faulted))
        before = last;
}

static uint32_t make_shadow(void)
{
    const size_t size = UK_SHADOW_END - UK_SHADOW_OFFSET;
    void *got = uk_map_at(UK_SHADOW_OFFSET, size);
    if (got) {
        madvise(got, size, MADV_DONTDUMP);
        return UK_SHADOW_WHOLE;
    }
    in_pieces = 1;
    watch_faults();
    return UK_SHADOW_PIECES;
}

// Makes the page, unless it is there. Nobody else has anything at that address: of a program that has, nothing is ever
// marked.
static struct uk_access *page(void)
{
    struct uk_access *const p = uk_access_make();
    if (p)
        return p;
    dprintf(2,
            "unknot: accesses are not seen: something else is at the address %p, where the runtime has to be; hint: "
            "compile without `unknot mpicc`\n",
            (void *)uk_access_page());
    return NULL;
}

static void set_up(void)
{
    static int done;
    if (done)
        return;
    done = 1;
    int keep = errno;
    struct uk_access *p = page();
    if (!p)
        make_shadow(); // compiled code looks at it
    if (p && p->shadow == UK_SHADOW_NONE) {
        p->room = room;
        p->shadow = make_shadow();
    }
    if (p && p->arrive)
        p->arrive();
    errno = keep;
}

#ifdef UK_ACCESS_PROGRAM
// Before the constructors of shared libraries, which may call the program.
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = set_up;

// These may have taken SIGSEGV for themselves, as UCX does, below MPICH.
__attribute__((constructor(101))) static void again(void)
{
    if (in_pieces)
        watch_faults();
}
#else
__attribute__((constructor(101))) static void first(void)
{
    set_up();
}
#endif

static COLD void touch(uintptr_t at, size_t size, int how, uintptr_t site)
{
    void (*probe)(uintptr_t, size_t, int, uintptr_t) = uk_access_page()->touch;
    if (probe)
        probe(at, size, how, site);
}

// Parts of the shadow that are looked at together.
typedef uint64_t pair __attribute__((vector_size(16)));

static inline uint64_t eight(const unsigned char *p)
{
    uint64_t word;
    __builtin_memcpy(&word, p, sizeof word);
    return word;
}

static inline pair sixteen(const unsigned char *p)
{
    pair words;
    __builtin_memcpy(&words, p, sizeof words);
    return words;
}

// Whether some of a part of the shadow has one of these bits. Its last bytes are looked at with some before them.
static inline int some(const unsigned char *p, const unsigned char *end, unsigned char bits)
{
    const uint64_t all = UINT64_C(0x0101010101010101) * bits;
    const size_t n = (size_t)(end - p);
    if (n < 8) {
        unsigned char found = 0;
        for (; p < end; p++)
            found |= *p;
        return (found & bits) != 0;
    }
    if (n < 16)
        return ((eight(p) | eight(end - 8)) & all) != 0;
    pair found = sixteen(end - 16);
    for (; end - p >= 64; p += 64) {
        found |= (sixteen(p) | sixteen(p + 16)) | (sixteen(p + 32) | sixteen(p + 48));
        if ((found[0] | found[1]) & all)
            return 1;
    }
    for (; end - p >= 16; p += 16)
        found |= sixteen(p);
    return ((found[0] | found[1]) & all) != 0;
}

// As in loops, nothing is checked while nothing is wanted, except for what may order processes: the probe always asks
// for that.
static int marked(uintptr_t at, size_t size, int how)
{
    if ((__atomic_load_n(&uk_access_page()->wanted, __ATOMIC_RELAXED) == 0 && !(how & UK_ACCESS_ORDERS)) || size == 0 ||
        at + size > UK_ACCESS_TOP || at + size < at)
        return 0;
    return some(uk_shadow(at), uk_shadow(at + size - 1) + 1,
                how & UK_ACCESS_STORE ? UK_SHADOW_STORES : UK_SHADOW_LOADS);
}

static inline void range(const void *at, size_t size, int how, uintptr_t site)
{
    if (__builtin_expect(marked((uintptr_t)at, size, how), 0))
        touch((uintptr_t)at, size, how, site);
}

#define SITE ((uintptr_t)__builtin_return_address(0))

// The plugin has these called; for an access of known size where the shadow has said that it is wanted.
HIDDEN void __link_by_unknot_mpicc_load(uintptr_t at, size_t size)
{
    touch(at, size, 0, SITE);
}

HIDDEN void __link_by_unknot_mpicc_store(uintptr_t at, size_t size)
{
    touch(at, size, UK_ACCESS_STORE, SITE);
}

HIDDEN void __link_by_unknot_mpicc_load_ordering(uintptr_t at, size_t size)
{
    touch(at, size, UK_ACCESS_ORDERS, SITE);
}

HIDDEN void __link_by_unknot_mpicc_store_ordering(uintptr_t at, size_t size)
{
    touch(at, size, UK_ACCESS_STORE | UK_ACCESS_ORDERS, SITE);
}

// For accesses of any size.
HIDDEN void __link_by_unknot_mpicc_loads(uintptr_t at, size_t size)
{
    range((void *)at, size, 0, SITE);
}

HIDDEN void __link_by_unknot_mpicc_stores(uintptr_t at, size_t size)
{
    range((void *)at, size, UK_ACCESS_STORE, SITE);
}

HIDDEN void __link_by_unknot_mpicc_loads_ordering(uintptr_t at, size_t size)
{
    range((void *)at, size, UK_ACCESS_ORDERS, SITE);
}

HIDDEN void __link_by_unknot_mpicc_stores_ordering(uintptr_t at, size_t size)
{
    range((void *)at, size, UK_ACCESS_STORE | UK_ACCESS_ORDERS, SITE);
}

enum { LONG_STEP = 256 }; // what lies between two elements of a loop is looked at, too, if it is less

// Whether some of the shadow of pieces of memory that are far apart, from low to high, has one of these bits.
static __attribute__((noinline)) int some_apart(uintptr_t low, uintptr_t high, uintptr_t stride, size_t size,
                                                unsigned char bits)
{
    for (; low < high; low += stride)
        if (some(uk_shadow(low), uk_shadow(low + size - 1) + 1, bits))
            return 1;
    return 0;
}

// What a loop asks before it is run: whether it may access some memory that is wanted. It does so `size` bytes at `at`,
// and `again` times more, each time `step` bytes further. That it may is also the answer where memory cannot be there,
// as an access that is never made may have any address, and where the shadow would have to be made.
HIDDEN int __link_by_unknot_mpicc_wanted(uintptr_t at, intptr_t step, size_t again, size_t size, int bits)
{
    const uintptr_t stride = step < 0 ? -(uintptr_t)step : (uintptr_t)step;
    uintptr_t span;
    if (__builtin_mul_overflow(stride, again, &span))
        return 1;
    const uintptr_t low = step < 0 ? at - span : at, high = low + span + size;
    _Static_assert((UK_ACCESS_TOP & (UK_ACCESS_TOP - 1)) == 0,
                   "numbers that have no higher bit are below it, and so are their sums without overflow");
    if ((low | span | size | high) >= UK_ACCESS_TOP || uk_access_page()->shadow != UK_SHADOW_WHOLE)
        return 1;
    if (stride > LONG_STEP)
        return some_apart(low, high, stride, size, (unsigned char)bits);
    return some(uk_shadow(low), uk_shadow(high - 1) + 1, (unsigned char)bits);
}

// Without it, the compiler has these called.
#define ACCESS(size)                                              \
    HIDDEN void __asan_report_load##size##_noabort(uintptr_t at)  \
    {                                                             \
        range((void *)at, size, UK_ACCESS_VAGUE, SITE);           \
    }                                                             \
    HIDDEN void __asan_report_store##size##_noabort(uintptr_t at) \
    {                                                             \
        touch(at, size, UK_ACCESS_STORE | UK_ACCESS_VAGUE, SITE); \
    }
ACCESS(1)
ACCESS(2)
ACCESS(4)
ACCESS(8)
ACCESS(16)

HIDDEN void __asan_report_load_n_noabort(uintptr_t at, size_t size)
{
    range((void *)at, size, UK_ACCESS_VAGUE, SITE);
}

HIDDEN void __asan_report_store_n_noabort(uintptr_t at, size_t size)
{
    range((void *)at, size, UK_ACCESS_STORE | UK_ACCESS_VAGUE, SITE);
}

// What else a compiler calls: nothing has to be done.
HIDDEN void __asan_handle_no_return(void)
{
}

HIDDEN void __asan_before_dynamic_init(const char *module)
{
    (void)module;
}

HIDDEN void __asan_after_dynamic_init(void)
{
}

// Functions of the C library that compiled code calls: the link has them come here first (--wrap).
#define WRAP(type, name, ...)               \
    extern type __real_##name(__VA_ARGS__); \
    HIDDEN type __wrap_##name(__VA_ARGS__)

WRAP(void *, memcpy, void *to, const void *from, size_t n)
{
    range(from, n, 0, SITE);
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real_memcpy(to, from, n);
}

WRAP(void *, memmove, void *to, const void *from, size_t n)
{
    range(from, n, 0, SITE);
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real_memmove(to, from, n);
}

WRAP(void *, memset, void *to, int value, size_t n)
{
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real_memset(to, value, n);
}

WRAP(int, memcmp, const void *a, const void *b, size_t n)
{
    range(a, n, 0, SITE);
    range(b, n, 0, SITE);
    return __real_memcmp(a, b, n);
}

WRAP(char *, strcpy, char *to, const char *from)
{
    const size_t n = strlen(from) + 1;
    range(from, n, 0, SITE);
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real_strcpy(to, from);
}

WRAP(char *, strncpy, char *to, const char *from, size_t n)
{
    range(from, strnlen(from, n), 0, SITE);
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real_strncpy(to, from, n);
}

WRAP(ssize_t, read, int fd, void *to, size_t n)
{
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real_read(fd, to, n);
}

WRAP(ssize_t, write, int fd, const void *from, size_t n)
{
    range(from, n, 0, SITE);
    return __real_write(fd, from, n);
}

WRAP(ssize_t, recv, int fd, void *to, size_t n, int flags)
{
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real_recv(fd, to, n, flags);
}

WRAP(ssize_t, send, int fd, const void *from, size_t n, int flags)
{
    range(from, n, 0, SITE);
    return __real_send(fd, from, n, flags);
}

WRAP(size_t, fread, void *to, size_t size, size_t n, void *file)
{
    range(to, size * n, UK_ACCESS_STORE, SITE);
    return __real_fread(to, size, n, file);
}

WRAP(size_t, fwrite, const void *from, size_t size, size_t n, void *file)
{
    range(from, size * n, 0, SITE);
    return __real_fwrite(from, size, n, file);
}

// Locks, which order ranks if they are in shared memory: to take one is to change it atomically. A program that uses
// none needs no library that has them.
#define LOCK(name)                                                \
    extern int __real_##name(void *) __attribute__((weak));       \
    HIDDEN int __wrap_##name(void *lock)                          \
    {                                                             \
        const int rc = __real_##name(lock);                       \
        range(lock, 1, UK_ACCESS_STORE | UK_ACCESS_ORDERS, SITE); \
        return rc;                                                \
    }
LOCK(pthread_mutex_lock)
LOCK(pthread_mutex_trylock)
LOCK(pthread_spin_lock)
LOCK(pthread_rwlock_rdlock)
LOCK(pthread_rwlock_wrlock)
LOCK(pthread_barrier_wait)
LOCK(sem_wait)

// Their forms that know how large the destination is (_FORTIFY_SOURCE).
WRAP(void *, __memcpy_chk, void *to, const void *from, size_t n, size_t most)
{
    range(from, n, 0, SITE);
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real___memcpy_chk(to, from, n, most);
}

WRAP(void *, __memmove_chk, void *to, const void *from, size_t n, size_t most)
{
    range(from, n, 0, SITE);
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real___memmove_chk(to, from, n, most);
}

WRAP(void *, __memset_chk, void *to, int value, size_t n, size_t most)
{
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real___memset_chk(to, value, n, most);
}

WRAP(char *, __strcpy_chk, char *to, const char *from, size_t most)
{
    const size_t n = strlen(from) + 1;
    range(from, n, 0, SITE);
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real___strcpy_chk(to, from, most);
}

WRAP(char *, __strncpy_chk, char *to, const char *from, size_t n, size_t most)
{
    range(from, strnlen(from, n), 0, SITE);
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real___strncpy_chk(to, from, n, most);
}

WRAP(ssize_t, __read_chk, int fd, void *to, size_t n, size_t most)
{
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real___read_chk(fd, to, n, most);
}

WRAP(ssize_t, __recv_chk, int fd, void *to, size_t n, size_t most, int flags)
{
    range(to, n, UK_ACCESS_STORE, SITE);
    return __real___recv_chk(fd, to, n, most, flags);
}

WRAP(size_t, __fread_chk, void *to, size_t most, size_t size, size_t n, void *file)
{
    range(to, size * n, UK_ACCESS_STORE, SITE);
    return __real___fread_chk(to, most, size, n, file);
}
