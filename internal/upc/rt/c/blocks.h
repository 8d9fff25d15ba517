/*
 * The blocks of an array that begins anywhere in the middle of one, for reductions: `shared [size] T a[count]` from a
 * pointer with a phase. Header only.
 */
#ifndef UPCR_BLOCKS_H
#define UPCR_BLOCKS_H

#include "rt.h"

struct upcr_blocks {
    size_t size, phase, count, blocks; /* a block size of 0 has become one that holds everything */
    int first;                         /* the thread of block 0 */
    upcr_ptr base;
    size_t es;
};

static inline struct upcr_blocks upcr_blocks_of(upcr_ptr p, size_t count, size_t size, size_t es)
{
    struct upcr_blocks b = {.size = size,
                            .phase = size ? upcr_phaseof(p) : 0,
                            .count = count,
                            .base = p,
                            .es = es,
                            .first = (int)upcr_threadof(p)};
    if (!size)
        b.size = count ? count : 1;
    b.blocks = (b.phase + count + b.size - 1) / b.size;
    return b;
}

/* The number of elements of block i, and its first one. */
static inline size_t upcr_block_start(const struct upcr_blocks *b, size_t i)
{
    return i ? i * b->size - b->phase : 0;
}

static inline size_t upcr_block_count(const struct upcr_blocks *b, size_t i)
{
    size_t end = (i + 1) * b->size - b->phase;
    return (end < b->count ? end : b->count) - upcr_block_start(b, i);
}

/*
 * Block i, which is mine. It lies in row i / THREADS of blocks, where the first one begins before base if that has a
 * phase.
 */
static inline void *upcr_block_at(const struct upcr_blocks *b, upcr_ptr base, size_t i)
{
    size_t thread = (size_t)b->first + i, row = thread / (size_t)upcr_threads;
    size_t offset = upcr_offset(base) + row * b->size * b->es;
    return upcr_mine + (i ? offset - b->phase * b->es : offset);
}

/* My first block; the next ones follow THREADS apart. */
static inline size_t upcr_block_mine(const struct upcr_blocks *b)
{
    return (size_t)((upcr_thread - b->first + upcr_threads) % upcr_threads);
}

#endif
