// Sees the clocks and random numbers of outside/clocks.c, which is linked to it: those of a number, or those of the machine if that is 0 or if it is not the program that asks.
// Prints how many seconds the wall clock and the one that counts from the machine's start are ahead.
#define _GNU_SOURCE
#include "outside/clocks.h"
#include "outside/outside.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static bool program = true;
static int asked[3], failures;

static bool asks(enum uk_asked what, const char *name, void *site)
{
    (void)site;
    asked[what] += what == UK_WAITS || name != NULL;
    return program;
}

#define WANT(what)                                \
    do {                                          \
        if (!(what)) {                            \
            printf("%d: not so: %s\n", __LINE__, #what); \
            failures++;                           \
        }                                         \
    } while (0)

static double seconds(const struct timespec *t) { return (double)t->tv_sec + (double)t->tv_nsec / 1e9; }

static double machine(clockid_t id)
{
    struct timespec t;
    syscall(SYS_clock_gettime, id, &t);
    return seconds(&t);
}

static double seen(clockid_t id)
{
    struct timespec t;
    WANT(clock_gettime(id, &t) == 0);
    return seconds(&t);
}

static struct timespec in(clockid_t id, double patience)
{
    const double t = seen(id) + patience;
    return (struct timespec){(time_t)t, (long)((t - (double)(time_t)t) * 1e9)};
}

static double at(const struct timeval *t) { return (double)t->tv_sec + (double)t->tv_usec / 1e6; }

static void *hold(void *lock)
{
    pthread_rwlock_wrlock(lock);
    return NULL;
}

// Each of these waits, until the clock that the program sees shows the moment, and not for long.
static void waits(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    pthread_cond_t wall = PTHREAD_COND_INITIALIZER, steady;
    pthread_condattr_t of_steady;
    sem_t s;
    struct timespec t;
    const double start = machine(CLOCK_MONOTONIC);
    sem_init(&s, 0, 0);
    pthread_condattr_init(&of_steady);
    pthread_condattr_setclock(&of_steady, CLOCK_MONOTONIC);
    pthread_cond_init(&steady, &of_steady);
    pthread_mutex_lock(&m);
    pthread_t other; // that holds the lock for ever
    pthread_create(&other, NULL, hold, &l);
    pthread_join(other, NULL);
    const clockid_t w = CLOCK_REALTIME, c = CLOCK_MONOTONIC;
    const double e = 1e-6; // to microseconds, as numbers are rounded
#define UNTIL(id, what)                             \
    t = in(id, 0.02);                               \
    WANT((what) && seen(id) >= seconds(&t) - e)
    UNTIL(c, clock_nanosleep(c, TIMER_ABSTIME, &t, NULL) == 0);
    UNTIL(w, clock_nanosleep(w, TIMER_ABSTIME, &t, NULL) == 0);
    UNTIL(w, pthread_cond_timedwait(&wall, &m, &t) == ETIMEDOUT);
    UNTIL(c, pthread_cond_timedwait(&steady, &m, &t) == ETIMEDOUT);
    UNTIL(c, pthread_cond_clockwait(&wall, &m, c, &t) == ETIMEDOUT);
    UNTIL(w, pthread_mutex_timedlock(&m, &t) == ETIMEDOUT);
    UNTIL(c, pthread_mutex_clocklock(&m, c, &t) == ETIMEDOUT);
    UNTIL(w, pthread_rwlock_timedrdlock(&l, &t) != 0);
    UNTIL(w, pthread_rwlock_timedwrlock(&l, &t) != 0);
    UNTIL(w, sem_timedwait(&s, &t) < 0 && errno == ETIMEDOUT);
    UNTIL(c, sem_clockwait(&s, c, &t) < 0 && errno == ETIMEDOUT);
    WANT(machine(CLOCK_MONOTONIC) - start < 60);
    t = (struct timespec){0, 1000};
    WANT(clock_nanosleep(c, 0, &t, NULL) == 0);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const unsigned number = (unsigned)atoi(argv[1]);
    uk_asks = asks;
    if (number > 0)
        uk_clocks_begin(number, argv[2], 0);
    const double wall = seen(CLOCK_REALTIME) - machine(CLOCK_REALTIME), steady = seen(CLOCK_MONOTONIC) - machine(CLOCK_MONOTONIC);
    const double pace = number == 0 ? 1 : number == 1 ? 1.5 : number == 2 ? 1.25 : 2;
    printf("%.0f %.0f %ld\n", wall, steady, (long)time(NULL));

    // All clocks of a kind agree, and run at one pace.
    struct timeval t;
    struct timespec u;
    struct tms cpu;
    struct rusage r;
    WANT(gettimeofday(&t, NULL) == 0 && at(&t) - seen(CLOCK_REALTIME) < 1 && seen(CLOCK_REALTIME) - at(&t) < 1);
    WANT(timespec_get(&u, TIME_UTC) == TIME_UTC && seconds(&u) - seen(CLOCK_REALTIME) < 1 && seen(CLOCK_REALTIME) - seconds(&u) < 1);
    time_t same = 0;
    WANT(time(&same) - (time_t)seen(CLOCK_REALTIME) <= 0 && same >= (time_t)seen(CLOCK_REALTIME) - 1);
    int (*volatile of_day)(struct timeval *, void *) = (int (*)(struct timeval *, void *))gettimeofday;
    WANT(of_day(NULL, NULL) == 0);
    const double earlier = machine(CLOCK_MONOTONIC), before = seen(CLOCK_MONOTONIC), later = machine(CLOCK_MONOTONIC);
    usleep(50000);
    const double least = (machine(CLOCK_MONOTONIC) - later) * pace, passed = seen(CLOCK_MONOTONIC) - before, most = (machine(CLOCK_MONOTONIC) - earlier) * pace;
    WANT(passed > least - 1e-6 && passed < most + 1e-6);
    const clock_t c = clock();
    for (volatile int i = 0; i < 10000000; i++)
        ;
    WANT(clock() > c && seen(CLOCK_PROCESS_CPUTIME_ID) > 0 && getrusage(RUSAGE_SELF, &r) == 0 && at(&r.ru_utime) > 0 && times(&cpu) != (clock_t)-1);
    waits();

    // The first random numbers are of one kind or of the other.
    unsigned drawn = 0, all = 0, any = 0;
    for (int i = 0; i < (number == 1 || number == 2 ? 16 : 100); i++) {
        WANT((i % 2 ? getentropy(&drawn, sizeof drawn) : getrandom(&drawn, sizeof drawn, 0) - (ssize_t)sizeof drawn) == 0);
        any |= drawn;
        all |= ~drawn;
    }
    WANT(number == 1 ? (any & 0x81818181) == 0 : number == 2 ? (all & 0x81818181) == 0 : any == ~0u && all == ~0u);
    unsigned more = 0;
    for (int i = 0; i < 1000 && (number == 1 ? !(more & 1) : number == 2 ? more & 1 || i == 0 : i == 0); i++)
        WANT(getrandom(&more, sizeof more, 0) == sizeof more);
    WANT(number == 1 ? more & 1 : number == 2 ? !(more & 1) : true);
    WANT(asked[UK_ASKS_TIME] > 0 && asked[UK_ASKS_RANDOM] > 0 && (asked[UK_WAITS] > 0) == (number > 0));

    // Others see the machine's.
    program = false;
    WANT(seen(CLOCK_REALTIME) - machine(CLOCK_REALTIME) < 1 && machine(CLOCK_REALTIME) - seen(CLOCK_REALTIME) < 1);
    waits();
    return failures != 0;
}
