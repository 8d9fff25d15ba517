/*
 * What the program itself loads and stores in its symmetric memory, in that of other PEs by shmem_ptr, and in buffers
 * that a non-blocking call still uses, if it was compiled so that this is seen (unknot oshcc). It is recorded before
 * the next call of the PE, at whose beginning others may learn of it; objects/exposed.c notes it until then.
 *
 * What other threads of the process do counts as what the PE does, unless one is in a call of OpenSHMEM at that time:
 * then nobody knows what comes first.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sh.h"
#include "objects/exposed.h"

_Static_assert((int)UKS_OWN_STORE == (int)UK_ACCESS_STORE && (int)UKS_OWN_ORDERS == (int)UK_ACCESS_ORDERS &&
                   (int)UKS_OWN_VAGUE == (int)UK_ACCESS_VAGUE,
               "records say it as accesses do");

/*
 * Pieces of memory: of the heap, of variables, of other PEs, and from LENT on those that calls use until the next quiet
 * of the context that is counted from there.
 */
enum { HEAP = 1, VARIABLES, DIRECT, LENT };
enum { PATIENCE = 1000 };
#define MOST_BYTES (UINT64_C(1) << 30) /* of a piece */

static struct uk_access *page; /* NULL if nothing is seen */
static void (*earlier)(uintptr_t, size_t, int, uintptr_t);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned pieces, lent;
static int whole = 1;   /* symmetric memory is looked at, too */
static int looking = 1; /* at it, since the last call */
static int missed;      /* an access that could not be noted */
static int shown;       /* an atomic or volatile store was made since the last call */

void sh_own_mode(const char *mark)
{
    char text[64] = "";
    int f = open(mark, O_RDONLY | O_CLOEXEC);
    ssize_t n = f < 0 ? 0 : read(f, text, sizeof text - 1);
    if (f >= 0)
        close(f);
    if (n <= 0)
        return;
    char word[16] = "";
    (void)sscanf(text, "%15s %u", word, &uk_exposed_slowdown);
    uk_exposed_all = strcmp(word, "all") == 0;
    whole = strcmp(word, "buffers") == 0 ? 0 : strcmp(word, "off") == 0 ? -1 : 1;
}

static void want(void)
{
    static uint32_t mine;
    uk_access_want(page, &mine, looking ? pieces + lent : lent);
}

static void touch(uintptr_t at, size_t size, int how, uintptr_t site)
{
    if (earlier)
        earlier(at, size, how, site);
    if (size == 0 || sh_busy())
        return;
    unsigned tries = 0;
    while (pthread_mutex_trylock(&lock) != 0)
        if (++tries == PATIENCE) {
            __atomic_store_n(&missed, 1, __ATOMIC_RELAXED);
            return;
        }
    if ((how & UK_ACCESS_ORDERS) && (how & UK_ACCESS_STORE))
        shown = 1;
    if (pieces + lent > 0)
        uk_exposed_touch(at, size, how, site, 0);
    pthread_mutex_unlock(&lock);
}

/* Whether symmetric memory from low to high can be looked at. */
static int can_expose(uintptr_t low, uintptr_t high)
{
    return page && whole == 1 && high <= UK_ACCESS_TOP && low < high && high - low <= MOST_BYTES &&
           page->room(low, high);
}

static void expose(uint64_t kind, uintptr_t low, uintptr_t high)
{
    if (!can_expose(low, high))
        return;
    pthread_mutex_lock(&lock);
    pieces += uk_exposed_add(kind, low, high);
    want();
    pthread_mutex_unlock(&lock);
}

/* The program has got the address of a PE's memory that is like mine: whether its accesses to that are seen. */
int sh_own_reaches(int pe, const void *mine, const void *theirs)
{
    uint64_t from, bytes, offset;
    if (!sh_extent(mine, &from, &bytes, &offset))
        return 0;
    const uint64_t low = (uint64_t)theirs - ((uint64_t)mine - from);
    if (!can_expose(low, low + bytes))
        return 0;
    pthread_mutex_lock(&lock);
    int seen = sh_direct_known(low, bytes, offset);
    if (!seen && uk_exposed_add(DIRECT, low, low + bytes)) {
        seen = sh_direct_add(pe, low, bytes, offset);
        if (seen)
            pieces++;
        else
            uk_exposed_drop(DIRECT, low);
    }
    want();
    pthread_mutex_unlock(&lock);
    return seen;
}

/* The program comes first in the list of what is loaded. */
static int of_program(struct dl_phdr_info *m, size_t size, void *none)
{
    (void)size;
    (void)none;
    for (int i = 0; i < m->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &m->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_W))
            expose(VARIABLES, m->dlpi_addr + p->p_vaddr, m->dlpi_addr + p->p_vaddr + p->p_memsz);
    }
    return 1;
}

/* The library is initialised: from here on others may access memory. */
void sh_own_begins(void)
{
    struct uk_access *p = whole < 0 ? NULL : uk_access_make();
    if (!p || p->shadow == UK_SHADOW_NONE)
        return;
    page = p;
    if (p->touch != touch)
        earlier = p->touch;
    p->touch = touch;
    dl_iterate_phdr(of_program, NULL);
}

/* In a child after fork, which is no PE. */
void sh_own_ends(void)
{
    if (page)
        page->touch = NULL;
    page = NULL;
}

void sh_own_block(const void *at, uint64_t bytes)
{
    expose(HEAP, (uintptr_t)at, (uintptr_t)at + bytes);
}

/* A block is given back, here and on all others. */
void sh_own_block_gone(const void *at, uint64_t offset)
{
    if (!page)
        return;
    pthread_mutex_lock(&lock);
    pieces -= uk_exposed_drop(HEAP, (uintptr_t)at);
    for (uint64_t there; (there = sh_direct_drop(offset)) != 0;)
        pieces -= uk_exposed_drop(DIRECT, there);
    want();
    pthread_mutex_unlock(&lock);
}

/*
 * A non-blocking call uses an array of this PE's until the next quiet of its context: whether the program's accesses to
 * it are seen.
 */
int sh_own_lends(const struct sh_array *a, uint64_t context)
{
    const uintptr_t low = (uintptr_t)a->at, high = low + a->count * a->bytes;
    if (!page || a->stride != 1 || high > UK_ACCESS_TOP || low >= high || high - low > MOST_BYTES ||
        !page->room(low, high))
        return 0;
    pthread_mutex_lock(&lock);
    lent += uk_exposed_cover(LENT + context, low, high);
    want();
    pthread_mutex_unlock(&lock);
    return 1;
}

void sh_own_back(uint64_t context)
{
    if (!page || !lent)
        return;
    pthread_mutex_lock(&lock);
    lent -= uk_exposed_drop(LENT + context, 0);
    want();
    pthread_mutex_unlock(&lock);
}

/* ---- Telling. ---- */

struct telling {
    struct sh_call *call;
    unsigned char flags;
    int some; /* other accesses are not recorded */
};

/*
 * Memory of a PE, or private memory: whose it is, where, and how many bytes of it there are from there on, as far as
 * that is known.
 */
struct ground {
    int pe;
    uint64_t offset, left;
};

/* Whether there is something at an address that is to be recorded. */
static int ground_of(uintptr_t at, struct ground *g)
{
    unsigned freed;
    g->pe = sh_direct_place(at, &g->offset, &g->left);
    if (g->pe >= 0)
        return 1;
    g->pe = sh_me();
    switch (sh_place((const void *)at, &g->offset, &g->left, &freed)) {
    case SH_SYMMETRIC:
        return 1;
    case SH_PRIVATE:
        *g = (struct ground){g->pe, UKS_PRIVATE_BASE + at, UINT64_MAX};
        return 1;
    case SH_FREED:
        break;
    }
    return 0;
}

static void record(const struct telling *t, const struct ground *g, const struct uk_exposed_runs *r, uint64_t size,
                   uint64_t n, unsigned site)
{
    const int some = t->some && g->offset < UKS_PRIVATE_BASE;
    sh_put_record(t->call,
                  (struct upcr_record){.kind = UKS_OWN,
                                       .flags = (unsigned char)(r->how | t->flags | (r->sparse ? UKS_OWN_SPARSE : 0) |
                                                                (some ? UKS_OWN_VAGUE : 0)),
                                       .owner = (unsigned short)g->pe,
                                       .site = site,
                                       .offset = g->offset,
                                       .size = (unsigned)size,
                                       .stride = (unsigned)(n > 1 ? (uint64_t)r->stride : size),
                                       .count = n});
}

/* Whether the last of n elements lies in the same block, variables or private memory as the first. */
static int together(const struct uk_exposed_runs *r, uint64_t n, const struct ground *g)
{
    struct ground last;
    const uint64_t to = (n - 1) * (uint64_t)r->stride;
    return ground_of(r->low + to, &last) && last.pe == g->pe && last.offset == g->offset + to && last.left >= r->size;
}

static void tell(void *to, const struct uk_exposed_runs *runs)
{
    struct uk_exposed_runs r = *runs;
    const unsigned site = sh_site("", (const void *)r.site);
    if (r.n > 1 && (size_t)r.stride <= r.size) { /* without gaps */
        r.size += (r.n - 1) * (size_t)r.stride;
        r.n = 1;
    }
    while (r.n > 0) {
        struct ground g;
        const int known = ground_of(r.low, &g);
        uint64_t n = 1, size = r.size;
        if (known && g.left >= size && g.left != UINT64_MAX)
            n = r.n > 1 && (g.left - size) / (uint64_t)r.stride + 1 < r.n ? (g.left - size) / (uint64_t)r.stride + 1
                                                                          : r.n;
        else if (known && g.left != UINT64_MAX)
            size = g.left; /* it extends into another block */
        else if (known && r.n > 1 && together(&r, r.n, &g))
            n = r.n;
        if (known && size > 0)
            record(to, &g, &r, size, n, site);
        if (size > 0 && size < r.size) {
            const struct uk_exposed_runs rest = {.born = r.born,
                                                 .low = r.low + size,
                                                 .site = r.site,
                                                 .size = r.size - size,
                                                 .n = 1,
                                                 .how = r.how,
                                                 .sparse = r.sparse};
            tell(to, &rest);
        }
        r.low += n * (uint64_t)r.stride;
        r.n -= n;
    }
}

/*
 * Where not all is looked at, what may order PEs is recorded, and what meets a buffer that a call uses. If that is
 * symmetric too, another access by which the PE has waited for others may not have been seen.
 */
static void tell_some(void *to, const struct uk_exposed_runs *r)
{
    struct telling t = *(struct telling *)to;
    if (r->how & UK_ACCESS_ORDERS) {
        tell(&t, r);
    } else if (lent > 0 && uk_exposed_meets(LENT, r->low, r->low + (r->n - 1) * (size_t)r->stride + r->size)) {
        t.some = 1;
        tell(&t, r);
    }
}

/*
 * At the beginning of a call. What comes behind one that was made often is looked at now and then only, except for
 * buffers that calls use.
 */
void sh_own_tell(struct sh_call *c)
{
    if (!page)
        return;
    pthread_mutex_lock(&lock);
    struct telling t = {.call = c, .flags = __atomic_exchange_n(&missed, 0, __ATOMIC_RELAXED) ? UKS_OWN_VAGUE : 0};
    if (shown)
        t.flags |= UKS_OWN_SHOWN;
    shown = 0;
    const int looked = looking;
    looking = uk_exposed_wanted((uintptr_t)c->caller);
    uk_exposed_tell(looked ? tell : tell_some, &t, looking);
    want();
    pthread_mutex_unlock(&lock);
}
