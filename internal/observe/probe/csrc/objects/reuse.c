// What reuse.h says.
//
// Runs: as reuse.h says.
//
// Never: locks or allocates.
#include "objects/reuse.h"

bool uk_reuse_pages[UK_REUSE_PAGES], uk_reuse_units[UK_REUSE_UNITS];
uint64_t uk_reuse_times = 1;

// The same of a part of a page.
static bool any_in_page(uintptr_t low, uintptr_t high)
{
    bool any = false;
    for (uintptr_t unit = low >> UK_REUSE_UNIT_BITS; unit <= (high - 1) >> UK_REUSE_UNIT_BITS; unit++) {
        bool *used = uk_reuse_unit(unit << UK_REUSE_UNIT_BITS);
        if (__atomic_load_n(used, __ATOMIC_RELAXED)) {
            __atomic_store_n(used, false, __ATOMIC_RELAXED);
            any = true;
        }
    }
    return any;
}

void uk_reuse_given_back(uintptr_t low, uintptr_t high)
{
    const uintptr_t size = (uintptr_t)1 << UK_REUSE_PAGE_BITS, most = size * UK_REUSE_PAGES;
    if (high - low > most)
        high = low + most; // all pages have their place there
    bool any = false;
    for (uintptr_t at = low, end; at < high; at = end) {
        end = (at | (size - 1)) + 1;
        if (end > high || end < at)
            end = high;
        if (__atomic_load_n(uk_reuse_page(at), __ATOMIC_RELAXED) && any_in_page(at, end))
            any = true;
    }
    if (any)
        __atomic_fetch_add(&uk_reuse_times, 1, __ATOMIC_SEQ_CST);
}
