// Whether memory that calls were given may be other memory by now: it was given back to the C library, or it was the stack
// of a thread that has ended. What two threads use of one address is the same memory if that has not happened between.
//
// Runs: uk_reuse_uses in recorded calls, where several threads may call MPI and their order is followed;
// uk_reuse_given_back wherever the program or a library frees memory, on every thread, in signal handlers too, and where
// a thread begins, with its stack.
//
// Never: locks or allocates. Addresses that share a place count as one: then it seems to have happened more often.
#ifndef UK_REUSE_H
#define UK_REUSE_H

#include "outside/frees.h"
#include <stdbool.h>
#include <stdint.h>

enum { UK_REUSE_PAGES = 1 << 12, UK_REUSE_PAGE_BITS = 12, UK_REUSE_UNITS = 1 << 16, UK_REUSE_UNIT_BITS = 4 };
#define UK_REUSE_SEVERAL UINTPTR_MAX
extern uintptr_t uk_reuse_pages[UK_REUSE_PAGES]; // the page in which memory begins that calls were given; 0, or several
extern bool uk_reuse_units[UK_REUSE_UNITS];      // the same of so few bytes, if it was not given back since
extern uint64_t uk_reuse_times;                  // how often such memory was given back, from 1 on

static inline bool *uk_reuse_unit(uintptr_t at)
{
    return &uk_reuse_units[at >> UK_REUSE_UNIT_BITS & (UK_REUSE_UNITS - 1)];
}
// Whether memory that calls were given begins in the page of an address, perhaps.
static inline bool uk_reuse_has(uintptr_t at)
{
    const uintptr_t page = at >> UK_REUSE_PAGE_BITS;
    const uintptr_t has = __atomic_load_n(&uk_reuse_pages[page & (UK_REUSE_PAGES - 1)], __ATOMIC_RELAXED);
    return has == page || has == UK_REUSE_SEVERAL;
}
void uk_reuse_marks(uintptr_t at);

// Takes in that a call is given memory, and says how often such memory was given back by then. Should it be given back
// later, that is counted: its place is still known after the number was read.
static inline uint64_t uk_reuse_uses(uintptr_t at)
{
    bool *unit = uk_reuse_unit(at);
    uint64_t times;
    do {
        if (!__atomic_load_n(unit, __ATOMIC_RELAXED) || !uk_reuse_has(at))
            uk_reuse_marks(at);
        times = __atomic_load_n(&uk_reuse_times, __ATOMIC_SEQ_CST);
    } while (!__atomic_load_n(unit, __ATOMIC_SEQ_CST));
    return times;
}

void uk_reuse_given_back(uintptr_t low, uintptr_t high);

#endif
