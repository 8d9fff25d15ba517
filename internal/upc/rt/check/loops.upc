/*
 * upc_forall (UPC 1.3, 6.6.2): the condition and the affinity have the same values on all threads in every iteration.
 * Loops since the last collective operation are folded into the record of the next one; for the words, the last loops
 * are kept one by one. Also how many bodies of controlling ones are around the current place: within them each thread
 * has loops of its own.
 */
#include <string.h>

#include "inner.h"

shared[UPCK_FORALLS] struct upck_loop upck_loops[UPCK_FORALLS * THREADS];

enum { DEEPEST = 64, NONE_YET = 1, UNKNOWN = 0 };

/* The upc_foralls that have begun. One that was left by a jump stays until one around it ends. */
static struct begun {
    const struct upck_site *site;
    int outside; /* the depth around it */
} begun[DEEPEST];
static int used, depth;
static const struct upck_site *outermost;
static unsigned long number, first_since, folded = NONE_YET;

void upck_forall_begin(const struct upck_site *site, int controlling)
{
    if (!depth && upck_mine.open)
        upck_wrong(site, "FORA-09", UPCK_ERROR, -1, "it comes between the upc_notify at %s and its upc_wait",
                   upck_spot(upck_mine.notified));
    if (used == DEEPEST)
        memmove(begun, begun + 1, (size_t)--used * sizeof *begun);
    begun[used].site = site;
    begun[used++].outside = depth;
    if (controlling && !depth++)
        outermost = site;
}

static void remember(const struct upck_site *site, unsigned long hash, unsigned long trips)
{
    struct upck_loop *loop = (struct upck_loop *)&upck_loops[(size_t)MYTHREAD * UPCK_FORALLS + number % UPCK_FORALLS];
    loop->number = number++;
    loop->hash = hash;
    loop->trips = trips;
    loop->site = upck_place(site);
    if (!hash && !trips)
        folded = UNKNOWN;
    if (folded == UNKNOWN)
        return;
    folded = upck_mix(upck_mix(upck_mix(folded, (unsigned long)loop->site), hash), trips);
    if (folded == UNKNOWN)
        folded = NONE_YET;
}

void upck_forall_end(const struct upck_site *site, unsigned long hash, unsigned long trips)
{
    int i = used - 1;
    while (i >= 0 && begun[i].site != site)
        i--;
    if (i < 0)
        return;
    used = i;
    depth = begun[i].outside;
    if (!depth)
        remember(site, hash, trips);
}

int upck_forall_depth(void)
{
    return depth;
}

void upck_forall_left(int to)
{
    depth = to;
}

int upck_in_region(const struct upck_site **site)
{
    *site = outermost;
    return depth > 0;
}

void upck_take_foralls(struct upck_record *r)
{
    r->first_forall = first_since;
    r->last_forall = first_since = number;
    r->foralls = folded;
    folded = NONE_YET;
}
