// What reuse.h says.
//
// Runs: as reuse.h says.
//
// Never: locks or allocates.
#include "objects/reuse.h"

uintptr_t uk_reuse_pages[UK_REUSE_PAGES];
bool uk_reuse_units[UK_REUSE_UNITS];
uint64_t uk_reuse_times = 1;

void uk_reuse_marks(uintptr_t at)
{
    const uintptr_t page = at >> UK_REUSE_PAGE_BITS;
    uintptr_t *has = &uk_reuse_pages[page & (UK_REUSE_PAGES - 1)], none = 0;
    if (!__atomic_compare_exchange_n(has, &none, page, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) && none != page)
        __atomic_store_n(has, UK_REUSE_SEVERAL, __ATOMIC_SEQ_CST);
    __atomic_store_n(uk_reuse_unit(at), true, __ATOMIC_SEQ_CST);
    __atomic_store_n(&uk_frees_all, true, __ATOMIC_RELAXED);
}

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

// The same of a page, as far as it is in some memory.
static bool any_in(uintptr_t page, uintptr_t low, uintptr_t high)
{
    const uintptr_t from = page << UK_REUSE_PAGE_BITS, to = from + ((uintptr_t)1 << UK_REUSE_PAGE_BITS);
    return any_in_page(from > low ? from : low, to < high ? to : high);
}

void uk_reuse_given_back(uintptr_t low, uintptr_t high)
{
    const uintptr_t first = low >> UK_REUSE_PAGE_BITS, last = (high - 1) >> UK_REUSE_PAGE_BITS;
    bool any = false;
    if (last - first < UK_REUSE_PAGES) {
        for (uintptr_t page = first; page <= last; page++)
            if (uk_reuse_has(page << UK_REUSE_PAGE_BITS) && any_in(page, low, high))
                any = true;
    } else {
        for (unsigned i = 0; i < UK_REUSE_PAGES; i++) {
            const uintptr_t page = __atomic_load_n(&uk_reuse_pages[i], __ATOMIC_RELAXED);
            if (page == UK_REUSE_SEVERAL || (page >= first && page <= last && any_in(page, low, high)))
                any = true;
        }
    }
    if (any)
        __atomic_fetch_add(&uk_reuse_times, 1, __ATOMIC_SEQ_CST);
}
