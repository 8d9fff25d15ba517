// What the library that follows the heap (heapsrc/heap.c) tells the probe. Both are preloaded; the probe finds it by
// name.
//
// Runs: the functions of these types in recorded calls of MPI, from memory.c.
//
// Never: includes anything of MPI or of the ring, as both libraries are made with it. The probe is not linked with the
// other one, which need not be there.
#ifndef UK_HEAP_H
#define UK_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uk_heap_block {
    uintptr_t from, to;
    void *site;   // return address of who freed it
    uint64_t how; // it was freed, a UK_FREED_…
};

// The block that an address lies in. It is noted that somebody uses it, so that its end will be reported.
typedef bool uk_heap_find_type(uintptr_t at, struct uk_heap_block *);
// The block that an address lay in, if it is certain that it has been freed and nothing is there now.
typedef bool uk_heap_dead_type(uintptr_t at, struct uk_heap_block *);
// Takes away at most n of the blocks that were used and have been freed, the oldest first.
typedef size_t uk_heap_freed_type(struct uk_heap_block *, size_t n);

#define UK_HEAP_FIND "uk_heap_find"
#define UK_HEAP_DEAD "uk_heap_dead"
#define UK_HEAP_FREED "uk_heap_freed"
// An unsigned that is not 0 while there are such.
#define UK_HEAP_NEWS "uk_heap_news"

#endif
