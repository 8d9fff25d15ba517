/*
 * Waiting. On one node a thread sleeps in the kernel until another changes a word in shared memory. Before it sleeps, it
 * looks at the word for about a millisecond if there is a processor for every thread: an idle processor of a virtual
 * machine takes up to a tenth of that to wake. With several nodes a thread must keep calling MPI, because some libraries
 * carry out accesses to a thread's memory only then; it sleeps longer and longer between the calls.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "rt.h"

enum { LOOKS = 2000, LOOKS_A_TURN = 64, TURNS = 300 };
enum { STEPS_AWAKE = 200, LONGEST_NANOS = 500000, STEPS_OF_A_WHILE = 700 };

static void breathe(void)
{
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
}

static int processor_each(void)
{
    return upcr_cores >= upcr_node_count;
}

static int looks(_Atomic uint32_t *word, uint32_t value, int times)
{
    for (int i = 0; i < times; i++) {
        if (atomic_load_explicit(word, memory_order_acquire) != value)
            return 1;
        breathe();
    }
    return 0;
}

/* Whether a word changes soon. After a while, other processes that want the processor get it in between. */
static int changes(_Atomic uint32_t *word, uint32_t value)
{
    int does = looks(word, value, LOOKS);
    for (int i = 0; i < TURNS && !does; i++) {
        sched_yield();
        does = looks(word, value, LOOKS_A_TURN);
    }
    return does;
}

void upcr_sleep(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleepers, const struct upcr_wait *what)
{
    const struct timespec limit = UPCR_A_WHILE;
    if (processor_each() && changes(word, value))
        return;
    atomic_fetch_add(sleepers, 1);
    while (atomic_load(word) == value)
        if (syscall(SYS_futex, word, FUTEX_WAIT, value, upcr_watched ? &limit : NULL, NULL, 0) && errno == ETIMEDOUT &&
            atomic_load(word) == value)
            upcr_still_waits(what);
    upcr_waits_no_more();
    atomic_fetch_sub(sleepers, 1);
}

void upcr_wake(_Atomic uint32_t *word, _Atomic uint32_t *sleepers)
{
    if (atomic_load(sleepers))
        syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void upcr_pause(unsigned *step)
{
    if (!upcr_one_node)
        upcr_progress();
    unsigned n = ++*step;
    if (n < STEPS_AWAKE && processor_each()) {
        breathe();
    } else if (n < STEPS_AWAKE + 8) {
        sched_yield();
    } else {
        long nanos = 1000L << (n - STEPS_AWAKE - 8 < 16 ? n - STEPS_AWAKE - 8 : 16);
        const struct timespec t = {0, nanos < LONGEST_NANOS ? nanos : LONGEST_NANOS};
        nanosleep(&t, NULL);
    }
}

void upcr_pause_for(unsigned *step, const struct upcr_wait *what)
{
    upcr_pause(step);
    if (upcr_watched && *step > STEPS_OF_A_WHILE)
        upcr_still_waits(what);
}

/* The program may be waiting for another thread by reading a flag: give it the processor, and MPI its turn. */
void upcr_relax(void)
{
    upcr_patience = 64;
    if (!upcr_one_node)
        upcr_progress();
    if (!processor_each())
        sched_yield();
}
