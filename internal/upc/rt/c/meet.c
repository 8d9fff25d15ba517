/*
 * Two threads that race are made to meet (UPC-Thrille's second phase; layout has the words of the file). A thread that
 * reaches one of the two sites with the racing memory is held, for a bounded time and number of times, until another
 * one reaches the other site. Then both are about to access it, and nothing keeps them apart. One is let go first. It
 * has made its access when it reaches its next one, or after a while. Then the other one continues.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "rt.h"

enum {
    NAP = 50000, /* nanoseconds */
    /*
	 * Milliseconds for which a thread is held the first times: the other one may come to its site only once, and late.
	 */
    HELD_LONG = 5000,
    LONG_TIMES = 2,
    HELD = 200,     /* and later */
    MOST_HELD = 40, /* how often threads are held, in all */
    FIRST = 5000,   /* milliseconds in which the first access is made, if nothing says so before */
    SPINS = 1000,   /* reads of the same by which a thread waits */
};

int upcr_meeting;
static _Atomic uint64_t *meet;
static char stacks[4096]; /* the file for those of the threads that meet */
static enum { NOTHING, WENT_FIRST, WENT_SECOND } role;
static unsigned last_site;
static upcr_ptr last_place;
static unsigned long same;

static uint64_t word(int which)
{
    return atomic_load(&meet[which]);
}

static void set(int which, uint64_t value)
{
    atomic_store(&meet[which], value);
}

static int turn(uint64_t from, uint64_t to)
{
    return atomic_compare_exchange_strong(&meet[UPCR_MEET_STATE], &from, to);
}

static uint64_t milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static void nap(void)
{
    nanosleep(&(struct timespec){0, NAP}, NULL);
    upcr_relax();
}

void upcr_meet_prepare(const char *path)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    void *at = mmap(NULL, UPCR_MEET_WORDS * sizeof *meet, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at == MAP_FAILED)
        return;
    meet = at;
    if ((size_t)snprintf(stacks, sizeof stacks, "%s" UPCR_MEET_STACKS, path) >= sizeof stacks)
        return;
    upcr_meeting = word(UPCR_MEET_MARK) == UPCR_MEETS_MARK;
}

static uint64_t value_there(void)
{
    uint64_t v = 0;
    upcr_get(&v, upcr_make(word(UPCR_MEET_OWNER), 0, word(UPCR_MEET_PLACE)), word(UPCR_MEET_BYTES));
    return v;
}

void upcr_meet_step(void)
{
    if (role == WENT_FIRST)
        turn(UPCR_MEETS_DECIDED, UPCR_MEETS_FIRST);
    if (role == WENT_SECOND) {
        set(UPCR_MEET_AFTER, value_there());
        set(UPCR_MEET_STATE, UPCR_MEETS_BOTH);
    }
    role = NOTHING;
}

/* Who goes first is known: both come here. */
static void go(int at_b)
{
    upcr_tell_stack(stacks, at_b);
    if (word(UPCR_MEET_AHEAD) == (uint64_t)upcr_thread + 1) {
        set(UPCR_MEET_BEFORE, value_there());
        role = WENT_FIRST;
        return;
    }
    const uint64_t end = milliseconds() + FIRST;
    while (word(UPCR_MEET_STATE) == UPCR_MEETS_DECIDED && milliseconds() < end)
        nap();
    turn(UPCR_MEETS_DECIDED, UPCR_MEETS_FIRST);
    set(UPCR_MEET_BETWEEN, value_there());
    role = WENT_SECOND;
}

/*
 * Another thread is held: this one, which is about to access memory from one offset to another, may be the one that it
 * waits for.
 */
static void meets(int at_b, uint64_t from, uint64_t to)
{
    int one_site = word(UPCR_MEET_SITEA) == word(UPCR_MEET_SITEB);
    if (word(UPCR_MEET_WAITER) == (uint64_t)upcr_thread + 1 || (!one_site && word(UPCR_MEET_ATB) == (uint64_t)at_b) ||
        from >= word(UPCR_MEET_TO) || to <= word(UPCR_MEET_FROM) || !turn(UPCR_MEETS_HELD, UPCR_MEETS_MET))
        return;
    uint64_t place = from > word(UPCR_MEET_FROM) ? from : word(UPCR_MEET_FROM),
             end = to < word(UPCR_MEET_TO) ? to : word(UPCR_MEET_TO);
    int higher = (uint64_t)upcr_thread + 1 > word(UPCR_MEET_WAITER);
    int mine = word(UPCR_MEET_FIRST) == (uint64_t)(one_site ? higher : at_b);
    set(UPCR_MEET_OTHER, (uint64_t)upcr_thread + 1);
    set(UPCR_MEET_AHEAD, mine ? (uint64_t)upcr_thread + 1 : word(UPCR_MEET_WAITER));
    set(UPCR_MEET_PLACE, place);
    set(UPCR_MEET_BYTES, end - place < sizeof place ? end - place : sizeof place);
    set(UPCR_MEET_STATE, UPCR_MEETS_DECIDED);
    go(at_b);
}

/* Holds the thread, and says 0 if it may not be held, or another one is. */
static int hold(int at_b, uint64_t from, uint64_t to)
{
    if (word(UPCR_MEET_HELD) >= MOST_HELD || !turn(UPCR_MEETS_FREE, UPCR_MEETS_CLAIMED))
        return 0;
    atomic_fetch_add(&meet[UPCR_MEET_HELD], 1);
    set(UPCR_MEET_WAITER, (uint64_t)upcr_thread + 1);
    set(UPCR_MEET_FROM, from);
    set(UPCR_MEET_TO, to);
    set(UPCR_MEET_ATB, (uint64_t)at_b);
    set(UPCR_MEET_STATE, UPCR_MEETS_HELD);
    const uint64_t end = milliseconds() + (word(UPCR_MEET_HELD) <= LONG_TIMES ? HELD_LONG : HELD);
    while (word(UPCR_MEET_STATE) == UPCR_MEETS_HELD && milliseconds() < end)
        nap();
    if (turn(UPCR_MEETS_HELD, UPCR_MEETS_FREE)) {
        atomic_fetch_add(&meet[UPCR_MEET_EXPIRED], 1);
        return 1;
    }
    while (word(UPCR_MEET_STATE) == UPCR_MEETS_MET)
        nap();
    go(at_b);
    return 1;
}

/* Notes a thread that reads the same again and again while another one is held. */
static void notice_spin(unsigned site, upcr_ptr p)
{
    same = site == last_site && UPCR_EQUAL(p, last_place) ? same + 1 : 0;
    last_site = site;
    last_place = p;
    if (same == 0 || same % SPINS != 0 || word(UPCR_MEET_STATE) != UPCR_MEETS_HELD)
        return;
    set(UPCR_MEET_SPINTHREAD, (uint64_t)upcr_thread + 1);
    set(UPCR_MEET_SPINSITE, site);
    set(UPCR_MEET_SPINOWNER, upcr_threadof(p));
    set(UPCR_MEET_SPINOFFSET, upcr_offset(p));
}

void upcr_meet_at(unsigned site, upcr_ptr p, unsigned long bytes)
{
    uint64_t from = upcr_offset(p), to = from + bytes;
    upcr_meet_step();
    notice_spin(site, p);
    int at_a = site == word(UPCR_MEET_SITEA), at_b = site == word(UPCR_MEET_SITEB);
    if ((!at_a && !at_b) || upcr_threadof(p) != word(UPCR_MEET_OWNER) || from >= word(UPCR_MEET_END) ||
        to <= word(UPCR_MEET_START))
        return;
    atomic_fetch_add(&meet[at_a ? UPCR_MEET_REACHEDA : UPCR_MEET_REACHEDB], 1);
    for (;;) {
        while (word(UPCR_MEET_STATE) == UPCR_MEETS_CLAIMED)
            nap();
        if (word(UPCR_MEET_STATE) == UPCR_MEETS_HELD) {
            meets(!at_a, from, to);
            return;
        }
        if (hold(!at_a, from, to))
            return;
        uint64_t state = word(UPCR_MEET_STATE);
        if (state != UPCR_MEETS_CLAIMED && state != UPCR_MEETS_HELD)
            return;
        /* Another thread has come at the same moment, and is held now. */
    }
}

void upcr_meet_free(unsigned site, upcr_ptr p)
{
    int of_all;
    unsigned long bytes = upcr_block_bytes(p, &of_all);
    upcr_meet_at(site, of_all ? upcr_make(word(UPCR_MEET_OWNER), 0, upcr_offset(p)) : p, bytes);
}
