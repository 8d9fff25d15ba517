/*
 * The vectors of memory and of places in a file that upc_all_fread_list_local and the like are given. Each question is
 * answered by one way through the entries.
 */
#include "ledger_files.h"
#ifdef __UPC_IO__

#include <stdlib.h>

int upck_vector_unreadable(const void *vec, size_t entries, size_t size)
{
    if (UPCK_HUGE(entries) || UPCK_OVERFLOWS(entries, size)) {
        upck_because("is %zu, which is more than PTRDIFF_MAX: a negative value was converted", entries);
        return 1;
    }
    if (!vec || upck_readable(vec, entries * size))
        return 0;
    upck_because("is %zu, and there is not so much memory behind the pointer", entries);
    return 1;
}

#define USABLE(v, n) \
    ((v) && (n) && !UPCK_HUGE(n) && !UPCK_OVERFLOWS(n, sizeof *(v)) && upck_readable(v, (n) * sizeof *(v)))

int upck_local_null(size_t n, const struct upc_local_memvec *v)
{
    for (size_t i = 0; USABLE(v, n) && i < n; i++)
        if (!v[i].baseaddr && v[i].len) {
            upck_because("[%zu] has a null baseaddr and len %zu", i, v[i].len);
            return 1;
        }
    return 0;
}

int upck_local_leaves(size_t n, const struct upc_local_memvec *v, int written)
{
    if (!USABLE(v, n))
        return 0;
    for (size_t i = 0; i < n; i++) {
        int fine = !v[i].baseaddr || (!UPCK_HUGE(v[i].len) && (written ? upck_writable(v[i].baseaddr, v[i].len)
                                                                       : upck_readable(v[i].baseaddr, v[i].len)));
        if (!fine) {
            upck_because("[%zu]: the %zu bytes from baseaddr on are not all memory of the program that can be %s", i,
                         v[i].len, written ? "written" : "read");
            return 1;
        }
    }
    return 0;
}

/* Pieces of memory, sorted for a look at neighbours. */
struct upck_piece {
    unsigned long thread, start, length;
    size_t entry;
};

static int upck_compare(const void *left, const void *right)
{
    const struct upck_piece *a = left, *b = right;
    return a->thread != b->thread ? (a->thread < b->thread ? -1 : 1) : a->start < b->start ? -1 : a->start > b->start;
}

static int upck_pieces_overlap(struct upck_piece *pieces, size_t n)
{
    qsort(pieces, n, sizeof *pieces, upck_compare);
    for (size_t i = 1; i < n; i++)
        if (pieces[i].thread == pieces[i - 1].thread && pieces[i].start - pieces[i - 1].start < pieces[i - 1].length) {
            size_t a = pieces[i - 1].entry, b = pieces[i].entry;
            upck_because("[%zu] and [%zu] overlap", a < b ? a : b, a < b ? b : a);
            return 1;
        }
    return 0;
}

int upck_local_overlap(size_t n, const struct upc_local_memvec *v)
{
    struct upck_piece *pieces = USABLE(v, n) ? malloc(n * sizeof *pieces) : 0;
    size_t used = 0;
    for (size_t i = 0; pieces && i < n; i++)
        if (v[i].len)
            pieces[used++] = (struct upck_piece){0, (unsigned long)(uintptr_t)v[i].baseaddr, v[i].len, i};
    int found = pieces && upck_pieces_overlap(pieces, used);
    free(pieces);
    return found;
}

int upck_shared_null(size_t n, const struct upc_shared_memvec *v)
{
    for (size_t i = 0; USABLE(v, n) && i < n; i++)
        if (!v[i].baseaddr && v[i].len) {
            upck_because("[%zu] has a null baseaddr and len %zu", i, v[i].len);
            return 1;
        }
    return 0;
}

/* Arguments of a vector have no text of their own: -1 is no argument's number, and nothing is known of its type. */
static const struct upck_site upck_nowhere;

int upck_shared_leaves(const struct upck_site *site, size_t n, const struct upc_shared_memvec *v)
{
    (void)site;
    if (!USABLE(v, n))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (upck_leaves(&upck_nowhere, 0, v[i].baseaddr, v[i].len, v[i].blocksize, 1, 0)) {
            upck_because("[%zu].baseaddr %s", i, upck_reason());
            return 1;
        }
    return 0;
}

int upck_shared_dead(const struct upck_site *site, size_t n, const struct upc_shared_memvec *v)
{
    (void)site;
    if (!USABLE(v, n))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (v[i].len && upck_dead(&upck_nowhere, 0, v[i].baseaddr)) {
            upck_because("[%zu].baseaddr %s", i, upck_reason());
            return 1;
        }
    return 0;
}

/* Only regions that are in one block, on one thread. */
int upck_shared_overlap(size_t n, const struct upc_shared_memvec *v)
{
    struct upck_piece *pieces = USABLE(v, n) ? malloc(n * sizeof *pieces) : 0;
    size_t used = 0;
    for (size_t i = 0; pieces && i < n; i++)
        if (v[i].baseaddr && v[i].len && (v[i].blocksize == 0 || v[i].len <= v[i].blocksize))
            pieces[used++] =
                (struct upck_piece){upc_threadof(v[i].baseaddr), upc_addrfield(v[i].baseaddr), v[i].len, i};
    int found = pieces && upck_pieces_overlap(pieces, used);
    free(pieces);
    return found;
}

int upck_shared_other_block(const struct upck_site *site, size_t n, const struct upc_shared_memvec *v)
{
    (void)site;
    if (!USABLE(v, n))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (upck_object_block(v[i].baseaddr) >= 0 && (size_t)upck_object_block(v[i].baseaddr) != v[i].blocksize) {
            upck_because("[%zu] has blocksize %zu, and its object has blocks of %ld bytes", i, v[i].blocksize,
                         upck_object_block(v[i].baseaddr));
            return 1;
        }
    return 0;
}

int upck_places_negative(size_t n, const struct upc_filevec *v)
{
    if (!USABLE(v, n))
        return 0;
    for (size_t i = 0; i < n; i++)
        if (v[i].offset < 0) {
            upck_because("[%zu] has the offset %lld", i, (long long)v[i].offset);
            return 1;
        }
    return 0;
}

int upck_places_decrease(size_t n, const struct upc_filevec *v)
{
    if (!USABLE(v, n))
        return 0;
    for (size_t i = 1; i < n; i++)
        if (v[i].offset < v[i - 1].offset) {
            upck_because("[%zu] has the offset %lld, after %lld", i, (long long)v[i].offset,
                         (long long)v[i - 1].offset);
            return 1;
        }
    return 0;
}

int upck_places_overlap(size_t n, const struct upc_filevec *v)
{
    if (!USABLE(v, n) || upck_places_decrease(n, v))
        return 0;
    for (size_t i = 1; i < n; i++)
        if (v[i].len && (unsigned long long)(v[i].offset - v[i - 1].offset) < v[i - 1].len) {
            upck_because("[%zu] and [%zu] overlap: %zu bytes from %lld, and offset %lld", i - 1, i, v[i - 1].len,
                         (long long)v[i - 1].offset, (long long)v[i].offset);
            return 1;
        }
    return 0;
}

static int upck_totals_differ(size_t memory, size_t places, const struct upc_filevec *file)
{
    size_t total = 0;
    for (size_t i = 0; i < places; i++)
        total += file[i].len;
    if (memory == total)
        return 0;
    upck_because("has %zu bytes in all, and filevec has %zu", memory, total);
    return 1;
}

int upck_local_total(size_t n, const struct upc_local_memvec *v, size_t places, const struct upc_filevec *file)
{
    size_t memory = 0;
    if ((n && !USABLE(v, n)) || (places && !USABLE(file, places)))
        return 0;
    for (size_t i = 0; i < n; i++)
        memory += v[i].len;
    return upck_totals_differ(memory, places, file);
}

int upck_shared_total(size_t n, const struct upc_shared_memvec *v, size_t places, const struct upc_filevec *file)
{
    size_t memory = 0;
    if ((n && !USABLE(v, n)) || (places && !USABLE(file, places)))
        return 0;
    for (size_t i = 0; i < n; i++)
        memory += v[i].len;
    return upck_totals_differ(memory, places, file);
}

#endif
