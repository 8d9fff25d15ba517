/*
 * Two processes, or two threads of one, are made to meet at two calls (package rendezvous). Who is held waits for a bounded time, a bounded number of times: the other one may
 * be waiting for it. Included by one source of each probe.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
    UK_MEET_NAP = 50000,    /* nanoseconds */
    UK_MEET_LONG = 2000,    /* milliseconds for which a process is held the first times: the other one may come to its call only once, and late */
    UK_MEET_LONG_TIMES = 2,
    UK_MEET_SHORT = 200,    /* and later */
    UK_MEET_MOST = 40,      /* how often processes are held, in all */
    UK_MEET_FIRST = 1000,   /* milliseconds in which the first call is made, if nothing says so before */
    UK_MEET_SEEN = 10000,   /* and in which two calls that are made together are seen */
    UK_MEET_KNOWN = 1024,
};

static struct uk_meet *uk_meet;
static uint64_t uk_meet_rank;
static __thread int uk_meet_first; /* this thread goes first, and has not come to its next call */

static int uk_meet_turn(uint64_t from, uint64_t to)
{
    return __atomic_compare_exchange_n(&uk_meet->state, &from, to, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

static uint64_t uk_meet_state(void)
{
    return __atomic_load_n(&uk_meet->state, __ATOMIC_SEQ_CST);
}

static uint64_t uk_meet_milliseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Until the state is another one, or for so long. */
static void uk_meet_wait(uint64_t state, uint64_t milliseconds)
{
    const struct timespec nap = {0, UK_MEET_NAP};
    for (uint64_t end = uk_meet_milliseconds() + milliseconds; uk_meet_state() == state && uk_meet_milliseconds() < end;)
        nanosleep(&nap, NULL);
}

static void uk_meet_open(const char *session, int rank)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/" UK_MEET_NAME, session) >= sizeof path)
        return;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    struct uk_meet *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    uk_meet_rank = (uint64_t)rank;
    if (at != MAP_FAILED && at->mark == UK_MEET_MARK)
        uk_meet = at;
}

/* ---- The place of a call. ---- */

struct uk_meet_place {
    uint64_t pc, offset;
    char name[PATH_MAX];
};

static int uk_meet_module(struct dl_phdr_info *m, size_t size, void *data)
{
    struct uk_meet_place *p = data;
    (void)size;
    for (int i = 0; i < m->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &m->dlpi_phdr[i];
        uint64_t from = m->dlpi_addr + h->p_vaddr;
        if (h->p_type != PT_LOAD || p->pc < from || p->pc >= from + h->p_memsz)
            continue;
        p->offset = p->pc - from + h->p_offset;
        snprintf(p->name, sizeof p->name, "%s", m->dlpi_name);
        return 1;
    }
    return 0;
}

static uint32_t uk_meet_site(uint64_t pc)
{
    static uint64_t known[UK_MEET_KNOWN]; /* the low halves of the address, and of the site */
    uint64_t *at = &known[(pc * UINT64_C(0x9e3779b97f4a7c15) >> 40) % UK_MEET_KNOWN], was = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (was != 0 && was >> 32 == (uint32_t)pc)
        return (uint32_t)was;
    struct uk_meet_place p = {.pc = pc};
    if (!dl_iterate_phdr(uk_meet_module, &p))
        return 0;
    if (!*p.name && !realpath("/proc/self/exe", p.name))
        return 0;
    const char *base = strrchr(p.name, '/');
    uint32_t sum = 0x811c9dc5;
    for (const char *c = base ? base + 1 : p.name; *c; c++)
        sum = (sum ^ (unsigned char)*c) * 0x01000193;
    for (int i = 0; i < 8; i++)
        sum = (sum ^ (unsigned char)(p.offset >> (8 * i))) * 0x01000193;
    __atomic_store_n(at, pc << 32 | sum, __ATOMIC_RELAXED);
    return sum;
}

/* ---- Meeting. ---- */

/* Whether this thread is the one that was held last. */
static int uk_meet_held(void)
{
    return __atomic_load_n(&uk_meet->holder, __ATOMIC_SEQ_CST) == (uint64_t)syscall(SYS_gettid);
}

/* Both are there: one of them makes its call, the other one waits until it has; or the one that was held waits until the other one is in its call. */
static void uk_meet_go(uint64_t at_b)
{
    if (uk_meet->together) {
        if (uk_meet_held())
            uk_meet_wait(UK_MEET_MET, UK_MEET_SEEN);
        return;
    }
    if (uk_meet->first == at_b) {
        uk_meet_first = 1;
        return;
    }
    uk_meet_wait(UK_MEET_MET, UK_MEET_FIRST);
    uk_meet_turn(UK_MEET_MET, UK_MEET_PASSED);
}

/* Says 0 if the process may not be held, or another one is. */
static int uk_meet_hold(uint64_t at_b)
{
    if (uk_meet->held >= UK_MEET_MOST || !uk_meet_turn(UK_MEET_FREE, UK_MEET_CLAIMED))
        return 0;
    uint64_t held = __atomic_add_fetch(&uk_meet->held, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&uk_meet->at_b, at_b, __ATOMIC_SEQ_CST);
    __atomic_store_n(&uk_meet->holder, (uint64_t)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
    uk_meet_turn(UK_MEET_CLAIMED, UK_MEET_HELD);
    uk_meet_wait(UK_MEET_HELD, held <= UK_MEET_LONG_TIMES ? UK_MEET_LONG : UK_MEET_SHORT);
    if (uk_meet_turn(UK_MEET_HELD, UK_MEET_FREE))
        __atomic_add_fetch(&uk_meet->expired, 1, __ATOMIC_SEQ_CST);
    else
        uk_meet_go(at_b);
    return 1;
}

/* Whether who is held waits for a thread at that place. */
static int uk_meet_awaited(int at_a, uint64_t at_b)
{
    const uint64_t held = __atomic_load_n(&uk_meet->at_b, __ATOMIC_SEQ_CST);
    if (uk_meet->threads && uk_meet_held())
        return 0;
    return held ? at_a : at_b != 0;
}

/* A thread is about to make a call, which returns to pc; or has begun it, if two are to be in their calls together. */
static void uk_meet_at(uint64_t pc)
{
    if (uk_meet_first)
        uk_meet_turn(UK_MEET_MET, UK_MEET_PASSED);
    uk_meet_first = 0;
    uint64_t site = uk_meet_site(pc);
    int at_a = site == uk_meet->site_a && uk_meet_rank == uk_meet->rank_a;
    uint64_t at_b = site == uk_meet->site_b && uk_meet_rank == uk_meet->rank_b;
    if (!at_a && !at_b)
        return;
    __atomic_add_fetch(at_a ? &uk_meet->reached_a : &uk_meet->reached_b, 1, __ATOMIC_SEQ_CST);
    if (at_a && at_b)
        __atomic_add_fetch(&uk_meet->reached_b, 1, __ATOMIC_SEQ_CST);
    for (;;) {
        uk_meet_wait(UK_MEET_CLAIMED, UK_MEET_FIRST);
        if (uk_meet_state() == UK_MEET_HELD && uk_meet_awaited(at_a, at_b) && uk_meet_turn(UK_MEET_HELD, UK_MEET_MET)) {
            uk_meet_go(!__atomic_load_n(&uk_meet->at_b, __ATOMIC_SEQ_CST));
            return;
        }
        if (uk_meet_state() >= UK_MEET_MET || uk_meet_hold(!at_a))
            return;
        if (uk_meet_state() != UK_MEET_CLAIMED && uk_meet_state() != UK_MEET_HELD)
            return;
    }
}
