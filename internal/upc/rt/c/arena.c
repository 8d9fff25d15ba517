/*
 * Cutting memory into blocks, with a tag before each that also tells the size of a free block before it, so that
 * neighbours are joined at once; free blocks are in lists by the power of two of their size. The memory may be another
 * thread's, on this node or not. Callers hold the lock of the arena.
 *
 * Blocks begin 16 bytes before a multiple of 64 and have sizes that are multiples of 64, so what is handed out is
 * aligned to 64.
 */
#include "rt.h"

enum { UNIT = 64, USED = 1, AFTER_FREE = 2, TRIES = 16 };
#define MAGIC (0x5bc0deUL << 40)
#define SIZE_MASK (((1UL << 40) - 1) & ~(unsigned long)(UNIT - 1))

/* A block: its tag, the size of the block before if that is free, and in free ones the links of its list. */
enum { TAG = 0, BEFORE = 8, NEXT = 16, PREVIOUS = 24 };

static uint64_t get(int segment, unsigned long at)
{
    uint64_t v;
    upcr_ptr p = upcr_make((unsigned long)segment, 0, at);
    if (upcr_here(p))
        return *(uint64_t *)upcr_at(p);
    upcr_get(&v, p, sizeof v);
    return v;
}

static void set(int segment, unsigned long at, uint64_t v)
{
    upcr_ptr p = upcr_make((unsigned long)segment, 0, at);
    if (upcr_here(p))
        *(uint64_t *)upcr_at(p) = v;
    else
        upcr_put(p, &v, sizeof v);
}

static unsigned long size_of(uint64_t tag)
{
    return tag & SIZE_MASK;
}

static unsigned long bin_place(unsigned long arena, unsigned long size)
{
    unsigned bin = 63 - (unsigned)__builtin_clzl(size);
    return arena + offsetof(struct upcr_arena, free) + 8 * (bin < UPCR_BINS ? bin : UPCR_BINS - 1);
}

static void link_in(int segment, unsigned long arena, unsigned long block, unsigned long size)
{
    unsigned long list = bin_place(arena, size), first = get(segment, list);
    set(segment, block + NEXT, first);
    set(segment, block + PREVIOUS, 0);
    if (first)
        set(segment, first + PREVIOUS, block);
    set(segment, list, block);
}

static void take_out(int segment, unsigned long arena, unsigned long block, unsigned long size)
{
    unsigned long next = get(segment, block + NEXT), previous = get(segment, block + PREVIOUS);
    set(segment, previous ? previous + NEXT : bin_place(arena, size), next);
    if (next)
        set(segment, next + PREVIOUS, previous);
}

/* Makes a free block of the bytes from block to the tag at end. */
static void make_free(int segment, unsigned long arena, unsigned long block, unsigned long end, uint64_t flags)
{
    set(segment, block + TAG, MAGIC | (end - block) | flags);
    set(segment, end + TAG, get(segment, end + TAG) | AFTER_FREE);
    set(segment, end + BEFORE, end - block);
    link_in(segment, arena, block, end - block);
}

/* Joins free memory with free neighbours. Gives the size of what comes of it. */
static unsigned long release(int segment, unsigned long arena, unsigned long block, unsigned long end, uint64_t flags)
{
    uint64_t after = get(segment, end + TAG);
    if (!(after & USED)) {
        take_out(segment, arena, end, size_of(after));
        end += size_of(after);
    }
    if (flags & AFTER_FREE) {
        unsigned long size = get(segment, block + BEFORE);
        block -= size;
        take_out(segment, arena, block, size);
        flags = get(segment, block + TAG) & AFTER_FREE;
    }
    make_free(segment, arena, block, end, flags);
    return end - block;
}

static unsigned long look_in(int segment, unsigned long list, unsigned long size, int tries)
{
    for (unsigned long block = get(segment, list); block && tries > 0; block = get(segment, block + NEXT), tries--)
        if (size_of(get(segment, block + TAG)) >= size)
            return block;
    return 0;
}

static unsigned long find(int segment, unsigned long arena, unsigned long size)
{
    unsigned long own = bin_place(arena, size), end = arena + offsetof(struct upcr_arena, free) + 8 * UPCR_BINS;
    unsigned long block = look_in(segment, own, size, TRIES);
    for (unsigned long list = own + 8; !block && list < end; list += 8)
        block = get(segment, list);
    return block ? block : look_in(segment, own, size, INT32_MAX);
}

unsigned long upcr_arena_take(int segment, unsigned long arena, unsigned long bytes)
{
    unsigned long size = (bytes + UPCR_BLOCK_HEAD + UNIT - 1) & ~(unsigned long)(UNIT - 1);
    unsigned long block = find(segment, arena, size);
    if (!block)
        return 0;
    uint64_t tag = get(segment, block + TAG);
    unsigned long end = block + size_of(tag);
    take_out(segment, arena, block, size_of(tag));
    set(segment, end + TAG, get(segment, end + TAG) & ~(uint64_t)AFTER_FREE);
    set(segment, block + TAG, MAGIC | size | USED | (tag & AFTER_FREE));
    if (block + size < end)
        make_free(segment, arena, block + size, end, 0);
    return block + UPCR_BLOCK_HEAD;
}

/* The tag of a block in use that begins at an offset, or 0. */
static uint64_t used_at(int segment, unsigned long arena, unsigned long offset)
{
    unsigned long low = get(segment, arena + offsetof(struct upcr_arena, low)),
                  high = get(segment, arena + offsetof(struct upcr_arena, high));
    if (offset % UNIT || offset < low || offset >= high)
        return 0;
    uint64_t tag = get(segment, offset - UPCR_BLOCK_HEAD + TAG);
    return (tag & ~(SIZE_MASK | AFTER_FREE)) == (MAGIC | USED) ? tag : 0;
}

unsigned long upcr_arena_holds(int segment, unsigned long arena, unsigned long offset)
{
    uint64_t tag = used_at(segment, arena, offset);
    return tag ? size_of(tag) - UPCR_BLOCK_HEAD : 0;
}

unsigned long upcr_arena_give(int segment, unsigned long arena, unsigned long offset)
{
    unsigned long block = offset - UPCR_BLOCK_HEAD;
    uint64_t tag = used_at(segment, arena, offset);
    if (!tag)
        return 0;
    set(segment, block + TAG, tag & ~(uint64_t)USED); /* to be known if it is given back again */
    return release(segment, arena, block, block + size_of(tag), tag & AFTER_FREE);
}

/* The memory of an arena ends with a tag of no size, which counts as used. */
void upcr_arena_grow(int segment, unsigned long arena, unsigned long low, unsigned long high)
{
    unsigned long low_place = arena + offsetof(struct upcr_arena, low),
                  high_place = arena + offsetof(struct upcr_arena, high);
    unsigned long old_low = get(segment, low_place), old_high = get(segment, high_place);
    const unsigned long margin = UNIT - UPCR_BLOCK_HEAD;
    set(segment, low_place, low);
    set(segment, high_place, high);
    if (old_low == old_high) {
        set(segment, high - UPCR_BLOCK_HEAD + TAG, MAGIC | USED);
        release(segment, arena, low + margin, high - UPCR_BLOCK_HEAD, 0);
        return;
    }
    if (high > old_high) {
        set(segment, high - UPCR_BLOCK_HEAD + TAG, MAGIC | USED);
        release(segment, arena, old_high - UPCR_BLOCK_HEAD, high - UPCR_BLOCK_HEAD,
                get(segment, old_high - UPCR_BLOCK_HEAD + TAG) & AFTER_FREE);
    }
    if (low < old_low)
        release(segment, arena, low + margin, old_low + margin, 0);
}

int upcr_arena_trim_high(int segment, unsigned long arena, unsigned long least)
{
    unsigned long place = arena + offsetof(struct upcr_arena, high), last = get(segment, place) - UPCR_BLOCK_HEAD;
    unsigned long size = get(segment, last + TAG) & AFTER_FREE ? get(segment, last + BEFORE) : 0;
    if (size < least)
        return 0;
    take_out(segment, arena, last - size, size);
    set(segment, last - size + TAG, MAGIC | USED);
    set(segment, place, last - size + UPCR_BLOCK_HEAD);
    return 1;
}

void upcr_arena_trim_low(int segment, unsigned long arena, unsigned long least)
{
    unsigned long place = arena + offsetof(struct upcr_arena, low), low = get(segment, place),
                  first = low + UNIT - UPCR_BLOCK_HEAD;
    uint64_t tag = get(segment, first + TAG);
    unsigned long size = size_of(tag);
    if ((tag & USED) || size < least)
        return;
    take_out(segment, arena, first, size);
    set(segment, first + size + TAG, get(segment, first + size + TAG) & ~(uint64_t)AFTER_FREE);
    set(segment, place, low + size);
}

unsigned long upcr_arena_largest(int segment, unsigned long arena)
{
    unsigned long largest = 0, list = arena + offsetof(struct upcr_arena, free);
    for (int bin = 0; bin < UPCR_BINS; bin++)
        for (unsigned long block = get(segment, list + 8 * (unsigned long)bin); block;
             block = get(segment, block + NEXT)) {
            unsigned long size = size_of(get(segment, block + TAG)) - UPCR_BLOCK_HEAD;
            largest = size > largest ? size : largest;
        }
    return largest;
}
