/*
 * upc_all_sort, which is in no standard but in other compilers' upc_collective.h: thread 0 sorts, by merging, with the
 * program's comparison of pointers-to-shared to elements at their old places.
 */
#include "reduction.h"

#include <stdlib.h>
#include <string.h>

void upc_all_sort(upcr_ptr a, size_t es, size_t count, size_t size, int (*compare)(upcr_ptr, upcr_ptr), int flags);

static upcr_ptr element(upcr_ptr a, size_t i, size_t size, size_t es)
{
    return upcr_add(a, (long)i, (long)size, (long)es);
}

static void merge(upcr_ptr *p, upcr_ptr *space, size_t n, int (*compare)(upcr_ptr, upcr_ptr))
{
    if (n < 2)
        return;
    size_t half = n / 2, left = 0, right = half;
    merge(p, space, half, compare);
    merge(p + half, space, n - half, compare);
    for (size_t i = 0; i < n; i++)
        space[i] = right == n || (left < half && compare(p[left], p[right]) <= 0) ? p[left++] : p[right++];
    memcpy(p, space, n * sizeof *p);
}

static void sort(upcr_ptr a, size_t es, size_t count, size_t size, int (*compare)(upcr_ptr, upcr_ptr))
{
    upcr_ptr *p = upcr_scratch(count * sizeof *p), *space = upcr_scratch(count * sizeof *space);
    char *sorted = upcr_scratch(count * es);
    for (size_t i = 0; i < count; i++)
        p[i] = element(a, i, size, es);
    merge(p, space, count, compare);
    for (size_t i = 0; i < count; i++)
        upcr_get(sorted + i * es, p[i], es);
    for (size_t i = 0; i < count; i++)
        upcr_put(element(a, i, size, es), sorted + i * es, es);
    free(p);
    free(space);
    free(sorted);
}

void upc_all_sort(upcr_ptr a, size_t es, size_t count, size_t size, int (*compare)(upcr_ptr, upcr_ptr), int flags)
{
    upcr_enter(flags);
    if (upcr_thread == 0)
        sort(a, es, count, size, compare);
    upcr_leave(flags);
}
