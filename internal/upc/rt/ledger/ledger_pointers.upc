/*
 * What a source does with pointers-to-shared between accesses (UPC 1.3, 6.4.2, 6.4.3). The checks are put into the
 * source where it does so. What is uncertain is not reported: a pointer may be one past the end of an object.
 */
#include "ledger_objects.h"

shared void *upck_local(const struct upck_site *site, shared const void *p)
{
    size_t thread = p ? upc_threadof((shared void *)p) : 0;
    if (!p)
        upck_gives_null(site, UPCK_FROM_CAST);
    else if (thread != (size_t)MYTHREAD && upck_inside(site, 0, p))
        upck_wrong(site, "LANG-08", UPCK_ERROR, 0,
                   "pointer points to memory of thread %zu, which thread %d cannot reach by a pointer-to-local", thread,
                   MYTHREAD);
    return (shared void *)p;
}

shared void *upck_retyped(const struct upck_site *site, shared const void *p, unsigned long block)
{
    if (p && upc_phaseof((shared void *)p) >= block)
        upck_wrong(site, "LANG-10", UPCK_ERROR, 0,
                   "pointer has the phase %zu, and the type that it becomes has blocks of %lu elements",
                   upc_phaseof((shared void *)p), block);
    return (shared void *)p;
}

/* There is no integer to add to one pointer so that it becomes the other, with its phase (UPC 1.3, 6.4.2p3). */
static int upck_no_distance(const struct upck_shape *shape, shared const void *a, shared const void *b)
{
    if (!shape || shape->block < 0 || !shape->element || !upck_symmetric())
        return 0;
    unsigned long block = (unsigned long)shape->block, size = shape->element;
    unsigned long x = upc_addrfield((shared void *)a), y = upc_addrfield((shared void *)b);
    if (block == 0)
        return upc_threadof((shared void *)a) != upc_threadof((shared void *)b) || (long)(x - y) % (long)size != 0;
    size_t of_a = upc_phaseof((shared void *)a), of_b = upc_phaseof((shared void *)b);
    if (of_a >= block || of_b >= block)
        return 0;
    return (long)(x - of_a * size - (y - of_b * size)) % (long)(block * size) != 0;
}

void upck_differ(const struct upck_site *site, shared const void *a, shared const void *b, int ordered)
{
    struct upck_entry of_a, of_b;
    if (!a || !b)
        return;
    const char *other = site->nargs > 1 ? site->args[1].text : "the other";
    if (upck_no_distance(upck_shape(site, 0), a, b))
        upck_wrong(site, ordered ? "LANG-19" : "LANG-18", UPCK_ERROR, 0,
                   "pointer is not a whole number of elements away from `%s`: thread %zu, phase %zu, address %#zx, "
                   "and thread %zu, phase %zu, address %#zx",
                   other, upc_threadof((shared void *)a), upc_phaseof((shared void *)a),
                   upc_addrfield((shared void *)a), upc_threadof((shared void *)b), upc_phaseof((shared void *)b),
                   upc_addrfield((shared void *)b));
    else if (upck_points_into(site, 0, a, &of_a) && upck_points_into(site, 1, b, &of_b) &&
             (of_a.base != of_b.base || of_a.home != of_b.home))
        upck_wrong(
            site, ordered ? "LANG-19" : "LANG-17", UPCK_ERROR, 0,
            "pointer points into another object than `%s`: into %s%s, and that one into %s%s", other,
            of_a.file ? "the one allocated at " : "a declared one", of_a.file ? upck_at(of_a.file, of_a.line) : "",
            of_b.file ? "the one allocated at " : "a declared one", of_b.file ? upck_at(of_b.file, of_b.line) : "");
}

/* Null pointers and threads that there are not the run-time of UPC tells itself. */
static int upck_accessible(const struct upck_site *site, shared const void *p, unsigned long to,
                           unsigned long alignment)
{
    static const char *const rows[] = {[UPCK_BEYOND] = "LANG-03", [UPCK_BEFORE] = "LANG-04", [UPCK_GONE] = "LANG-02"};
    int none = site->nargs; /* the ledgers decide, not what the source tells of the pointer */
    if (!p || upc_threadof((shared void *)p) >= (size_t)THREADS)
        return 0;
    const char *row = 0;
    if (alignment > 1 && upck_misaligned(p, alignment)) {
        row = "LANG-06";
        upck_because("points to address %#zx, and what is accessed is at multiples of %lu",
                     upc_addrfield((shared void *)p), alignment);
    } else if (upck_dead(site, none, p))
        row = "LANG-02";
    else if (upck_leaves_one(site, none, p, to))
        row = "LANG-03";
    else
        row = rows[upck_stray(p)];
    if (row)
        upck_wrong(site, row, UPCK_ERROR, 0, "pointer %s", upck_reason());
    return !row;
}

void upck_access(const struct upck_site *site, shared const void *p, unsigned long from, unsigned long size,
                 unsigned long alignment)
{
    upck_accessible(site, p, from + size, alignment);
}

/* What points into another object is identified by where it comes from. */
void upck_element(const struct upck_site *site, shared const void *before, shared const void *after,
                  unsigned long block, unsigned long element, unsigned long to, unsigned long alignment)
{
    if (!before || !upck_accessible(site, after, to, alignment))
        return;
    int out = upck_walks_out(site, site->nargs, before, after, block, element);
    if (out)
        upck_wrong(site, out == UPCK_BEFORE ? "LANG-04" : "LANG-03", UPCK_ERROR, 0, "pointer %s", upck_reason());
}

void upck_walked(const struct upck_site *site, shared const void *before, shared const void *after, unsigned long block,
                 unsigned long element)
{
    if (!before && after)
        upck_wrong(site, "LANG-16", UPCK_WARNING, 0, "pointer is computed from a null pointer");
    else if (before && upck_walks_out(site, 0, before, after, block, element))
        upck_wrong(site, "LANG-15", UPCK_ERROR, 0, "pointer %s", upck_reason());
}

long upck_index(const struct upck_site *site, long index, unsigned long length, int behind, int inner)
{
    if (index < 0 || (unsigned long)index >= length + (unsigned long)behind)
        upck_wrong(site,
                   inner       ? "LANG-07"
                   : index < 0 ? "LANG-04"
                               : "LANG-03",
                   UPCK_ERROR, 0, "index is %ld, and the dimension has %lu elements", index, length);
    return index;
}

void upck_doubtful(const struct upck_site *site, const char *id, const char *words)
{
    if (upck_suspicious())
        upck_wrong(site, id, UPCK_WARNING, 0, "%s", words);
}
