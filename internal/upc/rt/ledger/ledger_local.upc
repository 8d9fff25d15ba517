/*
 * Accesses through pointers-to-local (UPC 1.3, 6.4.3; optional libraries 7.7): these must be to what the pointer was
 * made for, as long as that exists. What is not in memory for allocated objects is left alone.
 */
#include "ledger_objects.h"

/* The last casts of each kind that gave a null pointer. */
static const struct upck_site *upck_nulls[UPCK_FROM_UPC_CAST + 1];

void upck_gives_null(const struct upck_site *site, int origin)
{
    upck_nulls[origin] = site;
}

/* Which null pointer is followed is known only if all values of the variable come from casts of one kind. */
static void upck_null_followed(const struct upck_site *site, int origin)
{
    const struct upck_site *cast = origin == UPCK_FROM_CAST || origin == UPCK_FROM_UPC_CAST ? upck_nulls[origin] : 0;
    if (!cast)
        return;
    int upc = origin == UPCK_FROM_UPC_CAST;
    upck_wrong(site, upc ? "CAST-04" : "LANG-09", upc ? UPCK_ERROR : UPCK_WARNING, 0,
               "pointer is null, as %s at %s gave it", cast->call, upck_at(cast->file, cast->line));
}

static shared const void *upck_shared_place(unsigned long thread, unsigned long address)
{
    static shared char start[THREADS];
    return (shared[] char *)&start[thread] + (address - upc_addrfield(&start[thread]));
}

/* The pointer is computed from one into another object than the one that it points into. */
static int upck_left(shared const void *before, shared const void *after, unsigned long to)
{
    const struct upck_entry *e = upck_known(before);
    unsigned long thread = upc_threadof((shared void *)before), address = upc_addrfield((shared void *)before);
    if (!e || e->state != UPCK_LIVE || e->how >= UPCK_LOCK || address - e->base >= upck_part(e, thread))
        return 0;
    unsigned long offset = upc_addrfield((shared void *)after) - e->base, part = upck_part(e, thread);
    if ((upc_threadof((shared void *)after) == thread && offset < part && to <= part - offset) ||
        !upck_confirm(before, e))
        return 0;
    upck_because("points to byte %ld of an object of which thread %lu has %lu bytes (allocated at %s)", (long)offset,
                 thread, part, upck_at(e->file, e->line));
    return 1;
}

void upck_near(const struct upck_site *site, const void *before, const void *after, unsigned long to, int origin)
{
    unsigned long thread, address, from_thread, from_address;
    int none = site->nargs;
    if (!before) {
        upck_null_followed(site, origin);
        return;
    }
    if (upck_in_segment(after, &thread, &address) <= 0 || !upck_heap(address))
        return;
    const char *row = 0,
               *freed = thread != (unsigned long)MYTHREAD || origin == UPCK_FROM_UPC_CAST ? "CAST-05" : "LANG-13";
    shared const void *p = upck_shared_place(thread, address);
    const char *const strays[] = {
        [UPCK_NOT_STRAY] = 0, [UPCK_BEYOND] = "LANG-14", [UPCK_BEFORE] = "LANG-14", [UPCK_GONE] = freed};
    if (upck_dead(site, none, p))
        row = freed;
    else if (upck_leaves_one(site, none, p, to))
        row = "LANG-14";
    else
        row = strays[upck_stray(p)];
    if (!row && before != after && upck_in_segment(before, &from_thread, &from_address) > 0 &&
        upck_heap(from_address) && upck_left(upck_shared_place(from_thread, from_address), p, to))
        row = "LANG-14";
    if (row)
        upck_wrong(site, row, UPCK_ERROR, 0, "pointer %s", upck_reason());
}

void upck_alias(const struct upck_site *site, shared const void *p, const void *q)
{
    if (!p || upc_threadof((shared void *)p) != (size_t)MYTHREAD || (const void *)(shared[] const char *)p != q)
        return;
    upck_wrong(site, "RACE-22", UPCK_WARNING, 0,
               "lvalue is the same object as `%s`, and the statement does not say which of the two comes first",
               site->args[1].text);
}
