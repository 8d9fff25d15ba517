/* Puts, gets and atomic operations (OpenSHMEM 1.4, 9.5 to 9.7). */
#include "sh.h"

static int wrong_pe(struct sh_call *c, int pe)
{
    if (pe >= 0 && pe < sh_pes())
        return 0;
    sh_wrong(c, UKS_WRONG_PE, (uint64_t)(int64_t)pe, (uint64_t)sh_pes(), 0, 0);
    return 1;
}

static void record(struct sh_call *c, int kind, int flags, int pe, const struct sh_array *a, uint64_t offset,
                   uint64_t context)
{
    if (!a->count)
        return;
    sh_put_record(c, (struct upcr_record){.kind = (unsigned char)kind,
                                          .flags = (unsigned char)flags,
                                          .owner = (unsigned short)pe,
                                          .offset = offset,
                                          .size = (unsigned)a->bytes,
                                          .stride = (unsigned)(a->bytes * (uint64_t)a->stride),
                                          .count = a->count,
                                          .value = context});
}

/*
 * An access to an array at the address that it has on this PE: recorded if it is symmetric, as others may access it
 * too.
 */
void sh_access(struct sh_call *c, int kind, int flags, int pe, const struct sh_array *a, uint64_t value)
{
    uint64_t offset, left;
    unsigned freed;
    if (a->count && a->at && sh_place(a->at, &offset, &left, &freed) == SH_SYMMETRIC)
        record(c, kind, flags, pe, a, offset, value);
}

/*
 * Memory of this PE that a call reads from or writes to. If it uses it after its return, until the next quiet, the
 * program itself may not.
 */
static void use(struct sh_call *c, int kind, int nbi, const struct sh_array *a, uint64_t context)
{
    uint64_t offset, left;
    unsigned freed;
    if (!a->count)
        return;
    enum sh_ground ground = sh_place(a->at, &offset, &left, &freed);
    int seen = nbi && ground != SH_FREED && sh_own_lends(a, context);
    if (ground == SH_SYMMETRIC)
        record(c, kind, nbi ? UKS_PENDING : 0, sh_me(), a, offset, context);
    else if (seen)
        record(c, kind, UKS_PENDING, sh_me(), a, UKS_PRIVATE_BASE + (uint64_t)a->at, context);
}

static int strides_fit(struct sh_call *c, const struct sh_array *to, const struct sh_array *from)
{
    if (to->stride < 1 || from->stride < 1) {
        int target = to->stride < 1;
        sh_wrong(c, UKS_WRONG_STRIDE, (uint64_t)(target ? to->stride : from->stride), 0, 0,
                 target ? UKS_ARG_TARGET_STRIDE : UKS_ARG_SOURCE_STRIDE);
        return 0;
    }
    return 1;
}

void sh_put(struct sh_call *c, uint64_t context, struct sh_array to, struct sh_array from, int pe, int nbi)
{
    uint64_t offset;
    if (!c->recorded || wrong_pe(c, pe) || !strides_fit(c, &to, &from) ||
        (from.at != to.at && !sh_readable(c, &from)) || !sh_symmetric(c, &to, &offset))
        return;
    if (from.argument)
        use(c, UKS_READ, nbi, &from, context);
    record(c, UKS_WRITE, UKS_PENDING | UKS_PUT, pe, &to, offset, context);
}

int sh_get_begins(struct sh_call *c, uint64_t context, struct sh_array to, struct sh_array from, int pe, int nbi)
{
    uint64_t offset;
    if (!c->recorded || wrong_pe(c, pe) || !strides_fit(c, &to, &from) || (to.argument && !sh_readable(c, &to)) ||
        !sh_symmetric(c, &from, &offset)) {
        c->recorded = 0;
        return 0;
    }
    c->begun = sh_tickets();
    if (nbi) {
        record(c, UKS_READ, UKS_PENDING, pe, &from, offset, context);
        use(c, UKS_WRITE, 1, &to, context);
    }
    return 1;
}

void sh_get_ends(struct sh_call *c, struct sh_array to, struct sh_array from, int pe)
{
    if (!c->recorded)
        return;
    if (to.argument)
        sh_access(c, UKS_WRITE, 0, sh_me(), &to, c->begun);
    sh_access(c, UKS_READ, 0, pe, &from, c->begun);
}

int sh_atomic(struct sh_call *c, uint64_t context, struct sh_array word, int pe, int fetches, int writes, int real)
{
    uint64_t offset;
    if (!c->recorded || wrong_pe(c, pe) || !sh_symmetric(c, &word, &offset)) {
        c->recorded = 0;
        return 0;
    }
    if ((uint64_t)word.at % word.bytes) {
        sh_wrong(c, UKS_MISALIGNED, (uint64_t)word.at, word.bytes, 0, (unsigned)word.argument);
        c->recorded = 0;
        return 0;
    }
    c->begun = sh_tickets();
    if (writes)
        record(c, UKS_ATOMIC, (fetches ? UKS_PUT | UKS_FETCH : UKS_PENDING | UKS_PUT) | (real ? UKS_REAL : 0), pe,
               &word, offset, context);
    return 1;
}

/* After an operation that gives the value. */
void sh_atomic_ends(struct sh_call *c, struct sh_array word, int pe, int writes, int real)
{
    if (!c->recorded)
        return;
    if (writes)
        sh_access(c, UKS_SEES, 0, pe, &word, 0);
    else
        sh_access(c, UKS_ATOMIC_READ, real ? UKS_FETCH | UKS_REAL : UKS_FETCH, pe, &word, c->begun);
}

/* shmem_ptr has given an address, at which there is a PE's memory that is like mine. */
void sh_maps(struct sh_call *c, const void *mine, const void *theirs, int pe)
{
    if (theirs && c->recorded && pe >= 0 && pe < sh_pes() && pe != sh_me())
        sh_put_record(c, (struct upcr_record){.kind = UKS_DIRECT,
                                              .flags = sh_own_reaches(pe, mine, theirs) ? UKS_REACH_SEEN : 0,
                                              .owner = (unsigned short)pe});
}
