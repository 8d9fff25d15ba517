/* Ranks that give the processor away while they wait, for jobs of tests, which have more ranks than there are
   processors. MPICH's look for messages all the time (of UCX), and those of Open MPI, when they are to give way
   (mpi_yield_when_idle), call sched_yield as often as they can. With this library, which LD_PRELOAD names, both
   sleep between two looks once nothing has come for a while: longer and longer, as a rank that has waited for a
   while mostly hangs, until somebody has seen that it does. Who calls sched_yield does not say when it has got
   something, and so sleeps for less: YIELD_NANOS, or what the variable POLITE_YIELD says, in nanoseconds, as waking
   hundreds of ranks so often takes more than there is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LOOKS = 300, SHORTEST_NANOS = 50000, LONGEST_NANOS = 2000000, YIELD_NANOS = 100000 };

static int nap(long nanos)
{
    return nanosleep(&(struct timespec){nanos / 1000000000, nanos % 1000000000}, NULL);
}

/* How long a look is waited for at least, in nanoseconds. */
static long pause_between(void)
{
    static _Atomic long nanos;
    if (nanos == 0) {
        const char *given = getenv("POLITE_YIELD");
        nanos = given ? atol(given) : YIELD_NANOS;
    }
    return nanos;
}

int sched_yield(void)
{
    return nap(pause_between());
}

/* Open MPI's MPI_Init and MPI_Finalize wait for other ranks by usleep(100). */
int usleep(useconds_t micros)
{
    long nanos = micros * 1000L, least = pause_between();
    return nap(micros <= 1000 && nanos < least ? least : nanos);
}

unsigned ucp_worker_progress(void *worker)
{
    static unsigned (*real)(void *);
    static __thread unsigned idle;
    static __thread long length;
    if (!real)
        real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
    if (!real) /* Python has loaded it for a module alone. */
        real = (unsigned (*)(void *))dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), "ucp_worker_progress");
    unsigned events = real(worker);
    if (events || length == 0) {
        idle = 0;
        length = SHORTEST_NANOS;
    } else if (++idle > LOOKS) {
        nap(length);
        length += length / 8;
        if (length > LONGEST_NANOS)
            length = LONGEST_NANOS;
    }
    return events;
}
