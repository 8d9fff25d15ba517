// The buffers that pending operations and persistent requests have been given, by the pages that they begin in: whoever
// frees a block of memory looks whether one of them is in it.
//
// Runs: uk_lent_near wherever the program frees memory, on every thread, in signal handlers too; the others with the
// lock of sent.c.
//
// Never: reads the memory.
#ifndef UK_LENT_H
#define UK_LENT_H

#include "outside/frees.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The begin of a buffer; at is 0 if there is no buffer.
struct uk_lent {
    struct uk_lent *next, *previous;
    uintptr_t at;
    bool freed; // its record says so
};

enum { UK_LENT_PAGES = 1024, UK_LENT_PAGE_BITS = 12 };
extern struct uk_lent *uk_lent_pages[UK_LENT_PAGES];

static inline size_t uk_lent_page(uintptr_t at)
{
    return at >> UK_LENT_PAGE_BITS & (UK_LENT_PAGES - 1);
}

// Constants such as MPI_BOTTOM and MPI_IN_PLACE are no addresses.
static inline void uk_lent_on(struct uk_lent *l, const void *buf)
{
    const uintptr_t at = (uintptr_t)buf, page = (uintptr_t)1 << UK_LENT_PAGE_BITS;
    l->at = 0;
    if (at < page || at > UINTPTR_MAX - page)
        return;
    struct uk_lent **head = &uk_lent_pages[uk_lent_page(at)];
    l->at = at;
    l->freed = false;
    l->previous = NULL;
    l->next = *head;
    if (l->next)
        l->next->previous = l;
    __atomic_store_n(head, l, __ATOMIC_RELAXED);
    __atomic_store_n(&uk_frees_wanted, uk_frees_wanted + 1, __ATOMIC_RELAXED);
}

static inline void uk_lent_off(struct uk_lent *l)
{
    if (l->at == 0)
        return;
    if (l->next)
        l->next->previous = l->previous;
    if (l->previous)
        l->previous->next = l->next;
    else
        __atomic_store_n(&uk_lent_pages[uk_lent_page(l->at)], l->next, __ATOMIC_RELAXED);
    l->at = 0;
    __atomic_store_n(&uk_frees_wanted, uk_frees_wanted - 1, __ATOMIC_RELAXED);
}

// Says whether there may be one in so much memory, without the lock.
static inline bool uk_lent_near(uintptr_t low, uintptr_t high)
{
    uintptr_t page = low >> UK_LENT_PAGE_BITS, last = (high - 1) >> UK_LENT_PAGE_BITS;
    if (last - page >= UK_LENT_PAGES)
        last = page + UK_LENT_PAGES - 1;
    do
        if (__atomic_load_n(&uk_lent_pages[page & (UK_LENT_PAGES - 1)], __ATOMIC_RELAXED))
            return true;
    while (page++ != last);
    return false;
}
// Says whether there is one that was not known to be freed. It is from then on.
bool uk_lent_freed(uintptr_t low, uintptr_t high);

#endif
