// What reuse.h says.
//
// Runs: as reuse.h says.
//
// Never: locks or allocates.
#include "objects/reuse.h"

bool uk_reuse_used[UK_REUSE_PAGES];
uint64_t uk_reuse_times = 1;

void uk_reuse_given_back(uintptr_t low, uintptr_t high)
{
    uintptr_t page = low >> UK_REUSE_PAGE_BITS, last = (high - 1) >> UK_REUSE_PAGE_BITS;
    if (last - page >= UK_REUSE_PAGES)
        last = page + UK_REUSE_PAGES - 1;
    bool any = false;
    do {
        bool *used = &uk_reuse_used[page & (UK_REUSE_PAGES - 1)];
        if (__atomic_load_n(used, __ATOMIC_RELAXED)) {
            __atomic_store_n(used, false, __ATOMIC_RELAXED);
            any = true;
        }
    } while (page++ != last);
    if (any)
        __atomic_fetch_add(&uk_reuse_times, 1, __ATOMIC_SEQ_CST);
}
