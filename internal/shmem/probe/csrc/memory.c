/*
 * Symmetric memory (OpenSHMEM 1.4, 3.1): blocks of the heap, as their allocations are seen, and variables of the
 * program, but not those of shared libraries.
 *
 * All PEs allocate the same in the same order (9.3), so a block has the same number everywhere, which makes its offset.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sh.h"

struct block {
    uint64_t at, bytes, offset;
    unsigned freed; /* the site of shmem_free, or 0 */
};

static struct block *blocks; /* by address */
static size_t count, room;
static uint64_t allocations;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The index of the first block that begins behind an address. */
static size_t after(uint64_t at)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (blocks[mid].at > at)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

static struct block *block_of(uint64_t at)
{
    size_t n = after(at);
    if (n == 0)
        return NULL;
    struct block *b = &blocks[n - 1];
    return at < b->at + b->bytes ? b : NULL;
}

/* Whether an address is right behind a block, where an index is that is one too high. */
static int behind(uint64_t at, uint64_t *offset)
{
    const uint64_t near = 64;
    size_t n = after(at);
    if (n == 0 || blocks[n - 1].freed || at - (blocks[n - 1].at + blocks[n - 1].bytes) >= near)
        return 0;
    *offset = blocks[n - 1].offset + (at - blocks[n - 1].at);
    return 1;
}

/* ---- Variables. ---- */

struct search {
    uint64_t at, base, from, end;
    int found;
};

/* The program comes first in the list of what is loaded. */
static int in_program(struct dl_phdr_info *m, size_t size, void *data)
{
    struct search *s = data;
    (void)size;
    uint64_t lowest = UINT64_MAX;
    for (int i = 0; i < m->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &m->dlpi_phdr[i];
        if (p->p_type != PT_LOAD)
            continue;
        uint64_t from = m->dlpi_addr + p->p_vaddr;
        if (from < lowest)
            lowest = from;
        if ((p->p_flags & PF_W) && s->at >= from && s->at < from + p->p_memsz) {
            s->found = 1;
            s->from = from;
            s->end = from + p->p_memsz;
        }
    }
    s->base = lowest & ~UINT64_C(0xfff);
    return 1;
}

/* The segment that was asked for last: a program's variables are mostly in one. */
static struct {
    uint64_t from, end, base, hash;
} last;

static int variable(uint64_t at, uint64_t *offset, uint64_t *left)
{
    if (at < last.from || at >= last.end) {
        char self[4096];
        struct search s = {.at = at};
        dl_iterate_phdr(in_program, &s);
        if (!s.found)
            return 0;
        char *path = realpath("/proc/self/exe", self);
        last.from = s.from;
        last.end = s.end;
        last.base = s.base;
        last.hash = sh_hash32(sh_base(path ? path : program_invocation_name)) & ((1u << UKS_HASH_BITS) - 1);
    }
    *offset = UKS_STATIC_BASE + (last.hash << UKS_MODULE_BITS) + (at - last.base);
    *left = last.end - at;
    return 1;
}

/* ---- Questions. ---- */

enum sh_ground sh_place(const void *p, uint64_t *offset, uint64_t *left, unsigned *freed)
{
    uint64_t at = (uint64_t)p;
    enum sh_ground ground = SH_PRIVATE;
    pthread_mutex_lock(&lock);
    struct block *b = block_of(at);
    if (b && b->freed) {
        *freed = b->freed;
        ground = SH_FREED;
    } else if (b) {
        *offset = b->offset + (at - b->at);
        *left = b->at + b->bytes - at;
        ground = SH_SYMMETRIC;
    } else if (behind(at, offset)) {
        *left = 0;
        ground = SH_SYMMETRIC;
    } else if (variable(at, offset, left)) {
        ground = SH_SYMMETRIC;
    }
    pthread_mutex_unlock(&lock);
    return ground;
}

/*
 * The block that has an address, or the variables around it: where it begins, how long it is, and what that is in
 * records; 0 if it is neither.
 */
int sh_extent(const void *p, uint64_t *from, uint64_t *bytes, uint64_t *offset)
{
    uint64_t at = (uint64_t)p;
    int found = 0;
    pthread_mutex_lock(&lock);
    struct block *b = block_of(at);
    if (b && !b->freed) {
        *from = b->at;
        *bytes = b->bytes;
        *offset = b->offset;
        found = 1;
    } else if (!b && variable(at, offset, bytes)) {
        *offset -= at - last.from;
        *from = last.from;
        *bytes = last.end - last.from;
        found = 1;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

/* The bytes from the first to the last element; 0 and a mistake if there is no such memory. */
static int whole(struct sh_call *c, const struct sh_array *a, uint64_t *bytes)
{
    const uint64_t most = UINT64_C(1) << 47;
    if (a->count > most / a->bytes || (a->count > 1 && (uint64_t)a->stride > most / a->bytes / a->count)) {
        sh_wrong(c, UKS_WRONG_SIZE, 0, a->count, 0, (unsigned)a->argument);
        return 0;
    }
    *bytes = a->count ? ((a->count - 1) * (uint64_t)a->stride + 1) * a->bytes : 0;
    return 1;
}

/* Whether there is such an array, in symmetric memory or, if it is this PE's own, in any, or a mistake. */
static int fits(struct sh_call *c, const struct sh_array *a, uint64_t *offset, int own)
{
    uint64_t bytes, left = 0;
    unsigned freed = 0;
    if (!whole(c, a, &bytes))
        return 0;
    if (own && !a->count)
        return 1;
    if (!a->at) {
        sh_wrong(c, UKS_NULL_POINTER, 0, 0, 0, (unsigned)a->argument);
        return 0;
    }
    enum sh_ground ground = sh_place(a->at, offset, &left, &freed);
    if (ground == SH_PRIVATE && own)
        return 1;
    if (ground == SH_PRIVATE)
        sh_wrong(c, UKS_NOT_SYMMETRIC, (uint64_t)a->at, 0, 0, (unsigned)a->argument);
    else if (ground == SH_FREED)
        sh_wrong(c, UKS_FREED_MEMORY, (uint64_t)a->at, 0, freed, (unsigned)a->argument);
    else if (bytes > left)
        sh_wrong(c, UKS_OUT_OF_BOUNDS, *offset, bytes, left, (unsigned)a->argument);
    else
        return 1;
    return 0;
}

int sh_symmetric(struct sh_call *c, const struct sh_array *a, uint64_t *offset)
{
    return fits(c, a, offset, 0);
}

int sh_readable(struct sh_call *c, const struct sh_array *a)
{
    uint64_t offset;
    return fits(c, a, &offset, 1);
}

/* ---- The heap. ---- */

/* Makes room in the list for a block, where freed ones have been. */
static struct block *insert(uint64_t at, uint64_t bytes)
{
    size_t to = after(at + bytes - 1), from = to;
    while (from > 0 && blocks[from - 1].at + blocks[from - 1].bytes > at)
        from--;
    if (count + 1 > room) {
        size_t more = room ? 2 * room : 256;
        struct block *grown = realloc(blocks, more * sizeof *blocks);
        if (!grown)
            return NULL;
        blocks = grown;
        room = more;
    }
    memmove(&blocks[from + 1], &blocks[to], (count - to) * sizeof *blocks);
    count = count - (to - from) + 1;
    return &blocks[from];
}

void sh_allocated(struct sh_call *c, void *p, uint64_t bytes)
{
    if (!bytes || !c->recorded)
        return;
    pthread_mutex_lock(&lock);
    uint64_t offset = ++allocations << UKS_BLOCK_BITS;
    struct block *b = p ? insert((uint64_t)p, bytes) : NULL;
    if (b)
        *b = (struct block){.at = (uint64_t)p, .bytes = bytes, .offset = offset};
    pthread_mutex_unlock(&lock);
    if (!b)
        return;
    sh_put_record(c, (struct upcr_record){.kind = UKS_ALLOC, .offset = offset, .count = bytes});
    sh_own_block(p, bytes);
}

/* Before a block is given back: whether it is one. */
int sh_frees(struct sh_call *c, void *p)
{
    if (!c->recorded)
        return 0;
    pthread_mutex_lock(&lock);
    struct block *b = block_of((uint64_t)p);
    int mistake = !b || (b->at != (uint64_t)p && !b->freed) ? UKS_NOT_A_BLOCK : b->freed ? UKS_FREED_TWICE : 0;
    unsigned freed = b ? b->freed : 0;
    pthread_mutex_unlock(&lock);
    if (mistake) {
        sh_wrong(c, mistake, (uint64_t)p, 0, freed, UKS_ARG_PTR);
        c->recorded = 0;
    }
    return !mistake;
}

/* It was given back, after all PEs had come. */
void sh_freed(struct sh_call *c, void *p)
{
    if (!c->recorded)
        return;
    pthread_mutex_lock(&lock);
    struct block *b = block_of((uint64_t)p);
    uint64_t offset = b ? b->offset : 0;
    if (b)
        b->freed = c->site ? c->site : 1;
    pthread_mutex_unlock(&lock);
    if (!b)
        return;
    sh_put_record(c, (struct upcr_record){.kind = UKS_FREE, .offset = offset});
    sh_own_block_gone(p, offset);
}
