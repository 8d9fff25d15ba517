// What the program sees of the time, and where random numbers come from. A function that is interested in such
// questions is called. In some of its runs the program sees other clocks, which have other readings and run faster, and
// other random numbers. All of these are what it might see in a run. Who shows that it acts on them shows that it does
// not act on MPI alone.
//
// Runs: in place of these functions, wherever the program or a library calls them, on every thread and in signal
// handlers.
//
// Never: locks, allocates or sets errno otherwise than the functions do. Never gives the MPI library, or its threads,
// anything but the machine's clocks, as it agrees on times with others; where the program waits until a moment, it
// waits until the moment of the machine's clock that it takes for that one.
#define _GNU_SOURCE
#include "outside/clocks.h"
#include "outside/outside.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#define API __attribute__((visibility("default")))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

enum { SECOND = 1000000000 };

bool (*uk_asks)(enum uk_asked, const char *, void *);

// Of wall clocks and of those that count from the machine's start: what the machine's shows at the run's begin, and
// what the program shall see then.
struct clock_pair {
    int64_t is, seen;
};
static struct {
    struct clock_pair wall, steady;
    int64_t pace, per; // that much is seen to pass in that much time
    unsigned number;   // 0 if the program sees the machine's
} other;

static int64_t ns_of(const struct timespec *t)
{
    return (int64_t)t->tv_sec * SECOND + t->tv_nsec;
}

static struct timespec time_of(int64_t ns)
{
    return (struct timespec){.tv_sec = (time_t)(ns / SECOND), .tv_nsec = ns % SECOND};
}

static int64_t now(clockid_t id)
{
    struct timespec t = {0, 0};
    syscall(SYS_clock_gettime, id, &t);
    return ns_of(&t);
}

static const struct clock_pair *pair_of(clockid_t id)
{
    switch (id) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
        return &other.wall;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
        return &other.steady;
    }
    return NULL;
}

// What the program sees instead of a reading, and of time that it has computed.
static int64_t seen(clockid_t id, int64_t ns)
{
    const struct clock_pair *p = pair_of(id);
    return p ? p->seen + (ns - p->is) * other.pace / other.per : ns;
}

static int64_t computed(int64_t ns)
{
    return ns * other.pace / other.per + (int64_t)other.number * (SECOND / 8 + 1);
}

static bool shifted(void)
{
    return other.number > 0;
}

// Says that the time is asked for; false if it is not the program that does so.
static bool asks(const char *name, void *site)
{
    return uk_asks(UK_ASKS_TIME, name, site);
}

static void *next(void **kept, const char *name)
{
    void *f = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (UNLIKELY(!f)) {
        f = dlsym(RTLD_NEXT, name);
        __atomic_store_n(kept, f, __ATOMIC_RELAXED);
    }
    return f;
}

// The function behind this one, which stands in a constant of its type.
#define BEHIND(name)          \
    static void *kept_##name; \
    __typeof__(&name) const behind = (__typeof__(&name))next(&kept_##name, #name)

#define SITE __builtin_return_address(0)

API int clock_gettime(clockid_t id, struct timespec *t)
{
    BEHIND(clock_gettime);
    const int rc = behind ? behind(id, t) : (int)syscall(SYS_clock_gettime, id, t);
    if (UNLIKELY(uk_asks) && rc == 0 && asks("clock_gettime", SITE) && shifted())
        *t = time_of(id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID ? computed(ns_of(t))
                                                                                     : seen(id, ns_of(t)));
    return rc;
}

// Headers do not agree on the type of the zone, and say that none is null.
typedef int of_day_type(struct timeval *, void *);
API of_day_type uk_gettimeofday __asm__("gettimeofday");

int uk_gettimeofday(struct timeval *t, void *zone)
{
    static void *kept;
    of_day_type *behind = (of_day_type *)next(&kept, "gettimeofday");
    const int rc = behind ? behind(t, zone) : (int)syscall(SYS_gettimeofday, t, zone);
    if (UNLIKELY(uk_asks) && rc == 0 && t && asks("gettimeofday", SITE) && shifted()) {
        const int64_t ns = seen(CLOCK_REALTIME, (int64_t)t->tv_sec * SECOND + t->tv_usec * 1000);
        *t = (struct timeval){.tv_sec = (time_t)(ns / SECOND), .tv_usec = ns % SECOND / 1000};
    }
    return rc;
}

API time_t time(time_t *to)
{
    if (UNLIKELY(uk_asks) && asks("time", SITE) && shifted()) {
        const time_t t = (time_t)(seen(CLOCK_REALTIME, now(CLOCK_REALTIME)) / SECOND);
        if (to)
            *to = t;
        return t;
    }
    BEHIND(time);
    return behind ? behind(to) : (time_t)(now(CLOCK_REALTIME) / SECOND);
}

API int timespec_get(struct timespec *t, int base)
{
    BEHIND(timespec_get);
    const int rc = behind ? behind(t, base) : 0;
    if (UNLIKELY(uk_asks) && rc == TIME_UTC && asks("timespec_get", SITE) && shifted())
        *t = time_of(seen(CLOCK_REALTIME, ns_of(t)));
    return rc;
}

API clock_t clock(void)
{
    BEHIND(clock);
    const clock_t c = behind ? behind() : (clock_t)-1;
    if (UNLIKELY(uk_asks) && c != (clock_t)-1 && asks("clock", SITE) && shifted())
        return (clock_t)(computed((int64_t)c * (SECOND / CLOCKS_PER_SEC)) / (SECOND / CLOCKS_PER_SEC));
    return c;
}

API clock_t times(struct tms *t)
{
    BEHIND(times);
    const clock_t c = behind ? behind(t) : (clock_t)-1;
    if (UNLIKELY(uk_asks) && c != (clock_t)-1 && asks("times", SITE) && shifted())
        // 100 a second (times(2)).
        return (clock_t)(seen(CLOCK_MONOTONIC, (int64_t)c * (SECOND / 100)) / (SECOND / 100));
    return c;
}

static void recount(struct timeval *t)
{
    const int64_t ns = computed((int64_t)t->tv_sec * SECOND + t->tv_usec * 1000);
    *t = (struct timeval){.tv_sec = (time_t)(ns / SECOND), .tv_usec = ns % SECOND / 1000};
}

API int getrusage(__rusage_who_t who, struct rusage *r)
{
    BEHIND(getrusage);
    const int rc = behind ? behind(who, r) : -1;
    if (UNLIKELY(uk_asks) && rc == 0 && asks("getrusage", SITE) && shifted()) {
        recount(&r->ru_utime);
        recount(&r->ru_stime);
    }
    return rc;
}

// Random numbers. What the first ones are, as numbers that are even and small or odd and large, differs between the
// runs with other clocks: who draws one of two does the one in the first and the other in the second. Whoever throws
// numbers away until one fits finds one later.
static void draw(const char *name, void *site, void *to, size_t n)
{
    static unsigned drawn;
    enum { FIRST = 16 };
    if (!uk_asks(UK_ASKS_RANDOM, name, site) || other.number == 0 || other.number > 2 ||
        __atomic_fetch_add(&drawn, 1, __ATOMIC_RELAXED) >= FIRST)
        return;
    for (size_t i = 0; i < n; i++) {
        unsigned char *const b = (unsigned char *)to + i;
        *b = other.number == 1 ? *b & 0x7e : *b | 0x81;
    }
}

API ssize_t getrandom(void *to, size_t n, unsigned flags)
{
    BEHIND(getrandom);
    const ssize_t got = behind ? behind(to, n, flags) : syscall(SYS_getrandom, to, n, flags);
    if (UNLIKELY(uk_asks) && got > 0)
        draw("getrandom", SITE, to, (size_t)got);
    return got;
}

API int getentropy(void *to, size_t n)
{
    BEHIND(getentropy);
    const int rc = behind ? behind(to, n) : -1;
    if (UNLIKELY(uk_asks) && rc == 0)
        draw("getentropy", SITE, to, n);
    return rc;
}

// Those of newer C libraries, and of C++'s random device, which asks the processor.
typedef uint32_t arc4random_type(void);
typedef uint32_t arc4random_uniform_type(uint32_t);
typedef void arc4random_buf_type(void *, size_t);
typedef unsigned device_type(void *);
API arc4random_type uk_arc4random __asm__("arc4random");
API arc4random_uniform_type uk_arc4random_uniform __asm__("arc4random_uniform");
API arc4random_buf_type uk_arc4random_buf __asm__("arc4random_buf");
API device_type uk_random_device __asm__("_ZNSt13random_device9_M_getvalEv");

uint32_t uk_arc4random(void)
{
    static void *kept;
    uint32_t r = ((arc4random_type *)next(&kept, "arc4random"))();
    if (UNLIKELY(uk_asks))
        draw("arc4random", SITE, &r, sizeof r);
    return r;
}

uint32_t uk_arc4random_uniform(uint32_t below)
{
    static void *kept;
    uint32_t r = ((arc4random_uniform_type *)next(&kept, "arc4random_uniform"))(below);
    if (UNLIKELY(uk_asks))
        draw("arc4random_uniform", SITE, &r, 0);
    return r;
}

void uk_arc4random_buf(void *to, size_t n)
{
    static void *kept;
    ((arc4random_buf_type *)next(&kept, "arc4random_buf"))(to, n);
    if (UNLIKELY(uk_asks))
        draw("arc4random_buf", SITE, to, n);
}

unsigned uk_random_device(void *device)
{
    static void *kept;
    unsigned r = ((device_type *)next(&kept, "_ZNSt13random_device9_M_getvalEv"))(device);
    if (UNLIKELY(uk_asks))
        draw("std::random_device", SITE, &r, sizeof r);
    return r;
}

// A moment of a clock that the program sees, as one of the machine's.
static const struct timespec *until(clockid_t id, const struct timespec *t, struct timespec *room)
{
    const struct clock_pair *p = pair_of(id);
    if (!p || !t || !shifted() || !uk_asks(UK_WAITS, NULL, NULL))
        return t;
    *room = time_of(p->is + (ns_of(t) - p->seen) * other.per / other.pace);
    return room;
}

// A condition has a clock that cannot be asked for. What it can be is far apart.
static clockid_t clock_of(const struct timespec *t)
{
    return t && llabs(ns_of(t) - other.wall.seen) < llabs(ns_of(t) - other.steady.seen) ? CLOCK_REALTIME
                                                                                        : CLOCK_MONOTONIC;
}

#define UNTIL(id, t) (!UNLIKELY(uk_asks) ? (t) : until(id, t, &(struct timespec){0, 0}))

API int clock_nanosleep(clockid_t id, int flags, const struct timespec *t, struct timespec *left)
{
    BEHIND(clock_nanosleep);
    return behind ? behind(id, flags, flags & TIMER_ABSTIME ? UNTIL(id, t) : t, left) : ENOSYS;
}

// There are two of this function, the older one of which has conditions of another size.
typedef int wait_type(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
API int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t)
{
    static void *kept;
    if (UNLIKELY(!__atomic_load_n(&kept, __ATOMIC_RELAXED)))
        __atomic_store_n(&kept, dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2"), __ATOMIC_RELAXED);
    uk_waits(m);
    return uk_waited(((wait_type *)next(&kept, "pthread_cond_timedwait"))(c, m, UNTIL(clock_of(t), t)), c, m);
}

API int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *t)
{
    BEHIND(pthread_mutex_timedlock);
    return behind ? uk_taken(behind(m, UNTIL(CLOCK_REALTIME, t)), m, true) : ENOSYS;
}

API int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *t)
{
    BEHIND(pthread_rwlock_timedrdlock);
    return behind ? uk_taken(behind(l, UNTIL(CLOCK_REALTIME, t)), l, false) : ENOSYS;
}

API int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *t)
{
    BEHIND(pthread_rwlock_timedwrlock);
    return behind ? uk_taken(behind(l, UNTIL(CLOCK_REALTIME, t)), l, true) : ENOSYS;
}

// Older C libraries do not declare these.
typedef int cond_clockwait_type(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *);
typedef int mutex_clocklock_type(pthread_mutex_t *, clockid_t, const struct timespec *);
typedef int sem_clockwait_type(sem_t *, clockid_t, const struct timespec *);
API cond_clockwait_type uk_cond_clockwait __asm__("pthread_cond_clockwait");
API mutex_clocklock_type uk_mutex_clocklock __asm__("pthread_mutex_clocklock");
API sem_clockwait_type uk_sem_clockwait __asm__("sem_clockwait");

int uk_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t id, const struct timespec *t)
{
    static void *kept;
    uk_waits(m);
    return uk_waited(((cond_clockwait_type *)next(&kept, "pthread_cond_clockwait"))(c, m, id, UNTIL(id, t)), c, m);
}

int uk_mutex_clocklock(pthread_mutex_t *m, clockid_t id, const struct timespec *t)
{
    static void *kept;
    return uk_taken(((mutex_clocklock_type *)next(&kept, "pthread_mutex_clocklock"))(m, id, UNTIL(id, t)), m, true);
}

int uk_sem_clockwait(sem_t *s, clockid_t id, const struct timespec *t)
{
    static void *kept;
    return uk_taken(((sem_clockwait_type *)next(&kept, "sem_clockwait"))(s, id, UNTIL(id, t)), s, false);
}

// Ranks of one host see the same clocks: the run's begin is when the first of them has made the file.
static int64_t begin_of_run(const char *name, int64_t start)
{
    struct statx is;
    const int f = name ? (int)syscall(SYS_openat, AT_FDCWD, name, O_CREAT | O_RDONLY | O_CLOEXEC, 0600) : -1;
    if (f < 0)
        return start;
    const bool known = syscall(SYS_statx, f, "", AT_EMPTY_PATH, STATX_MTIME, &is) == 0;
    const int64_t at = known ? is.stx_mtime.tv_sec * SECOND + is.stx_mtime.tv_nsec : start;
    syscall(SYS_close, f);
    return at;
}

// All are ahead of the machine's, as the MPI library may compute what MPI_Wtime gives from when it was initialised. The
// first two are apart by an odd number of seconds, minutes, hours and days, each of which begins with an even one in
// the first.
void uk_clocks_begin(unsigned number, const char *file, int64_t start)
{
    static const struct {
        int64_t wall, steady, pace, per;
    } runs[] = {{2 * 86400, 0, 3, 2},
                {3 * 86400 + 3600 + 60 + 1, 86400 + 3600 + 60 + 1, 5, 4},
                {4 * 86400 + 5 * 3600 + 43 * 60 + 22, 86400 + 29 * 60 + 17, 2, 1}};
    enum { RUNS = sizeof runs / sizeof *runs };
    const unsigned i = (number - 1) % RUNS;
    const int64_t two_days = (int64_t)2 * 86400 * SECOND,
                  more = (int64_t)((number - 1) / RUNS) * 12347 * SECOND + SECOND / 10;
    other.wall.is = begin_of_run(file, start);
    other.steady.is = now(CLOCK_MONOTONIC) - (now(CLOCK_REALTIME) - other.wall.is);
    other.wall.seen = other.wall.is / two_days * two_days + runs[i].wall * SECOND + more;
    other.steady.seen = (other.steady.is / two_days * two_days + two_days) + runs[i].steady * SECOND + more;
    other.pace = runs[i].pace;
    other.per = runs[i].per;
    other.number = number;
    uk_until = until;
}
