// What lent.h says.
//
// Runs: as lent.h says.
//
// Never: locks or allocates.
#include "objects/lent.h"

struct uk_lent *uk_lent_pages[UK_LENT_PAGES];

bool uk_lent_freed(uintptr_t low, uintptr_t high)
{
    const size_t first = uk_lent_page(low), all = ((high - 1) >> UK_LENT_PAGE_BITS) - (low >> UK_LENT_PAGE_BITS) + 1;
    const size_t n = all < UK_LENT_PAGES ? all : UK_LENT_PAGES;
    bool found = false;
    for (size_t i = 0; i < n; i++)
        for (struct uk_lent *l = uk_lent_pages[(first + i) & (UK_LENT_PAGES - 1)]; l; l = l->next)
            if (l->at >= low && l->at < high && !l->freed)
                found = l->freed = true;
    return found;
}
