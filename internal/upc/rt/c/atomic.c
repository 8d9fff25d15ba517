/*
 * upc_atomic.h (UPC 1.3): domains and their operations. A domain has the same place on all threads, where each keeps
 * its type and operations.
 */
#include "atomic.h"

#include <string.h>

#include "ask.h"
#include "upc_atomic.h"

upcr_ptr upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints);
void upc_all_atomicdomain_free(upcr_ptr domain);
void upc_atomic_strict(upcr_ptr domain, void *fetch, upc_op_t op, upcr_ptr target, const void *operand1,
                       const void *operand2);
void upc_atomic_relaxed(upcr_ptr domain, void *fetch, upc_op_t op, upcr_ptr target, const void *operand1,
                        const void *operand2);
int upc_atomic_isfast(upc_type_t type, upc_op_t ops, upcr_ptr target);

struct domain {
    int type, ops;
};

upcr_ptr upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints)
{
    (void)hints;
    if (!upcr_atomic_size(type) || ops <= 0 || (ops & ~upcr_atomic_ops(type)))
        upcr_fail("thread %d calls upc_all_atomicdomain_alloc with type %d and operations %#x, which it does not have; "
                  "hint: bit-wise operations "
                  "are for integers of 32 and 64 bits, UPC_PTS has UPC_GET, UPC_SET and UPC_CSWAP",
                  upcr_thread, type, (unsigned)ops);
    upcr_ptr domain =
        upcr_tell(upcr_thread == 0 ? upcr_alloc_global(sizeof(struct domain), "upc_all_atomicdomain_alloc") : 0);
    *(struct domain *)upcr_own(domain) = (struct domain){type, ops};
    return domain;
}

void upc_all_atomicdomain_free(upcr_ptr domain)
{
    upcr_barrier_inner();
    if (upcr_thread == 0 && !UPCR_IS_NULL(domain))
        upcr_free_block(domain, "upc_all_atomicdomain_free");
}

static uint64_t bits_of(const void *operand, unsigned size)
{
    uint64_t bits = 0;
    if (operand)
        memcpy(&bits, operand, size);
    return bits;
}

void upc_atomic_relaxed(upcr_ptr domain, void *fetch, upc_op_t op, upcr_ptr target, const void *operand1,
                        const void *operand2)
{
    const struct domain *d = upcr_own(domain);
    unsigned size = upcr_atomic_size(d->type);
    if (!(op & d->ops) || (op & (op - 1)))
        upcr_fail("thread %d asks for the atomic operation %#x in a domain that has %#x; hint: "
                  "upc_all_atomicdomain_alloc names all that are used",
                  upcr_thread, (unsigned)op, (unsigned)d->ops);
    upcr_record_atomic(domain, target, size, op != UPC_GET);
    uint64_t a = bits_of(operand1, size), b = bits_of(operand2, size), before;
    if (upcr_here(target)) {
        before = upcr_atomic_do(upcr_at(target), d->type, op, a, b);
    } else {
        struct upcr_ask ask = {.kind = d->type, .op = op, .offset = upcr_offset(target), .a = a, .b = b};
        before = upcr_question((int)upcr_threadof(target), &ask);
    }
    if (fetch)
        memcpy(fetch, &before, size);
}

void upc_atomic_strict(upcr_ptr domain, void *fetch, upc_op_t op, upcr_ptr target, const void *operand1,
                       const void *operand2)
{
    upcr_before_write();
    upcr_before_read();
    upcr_record_atomic_shows(target);
    upc_atomic_relaxed(domain, fetch, op, target, operand1, operand2);
    upcr_record_atomic_sees(target);
    upcr_after_write();
}

int upc_atomic_isfast(upc_type_t type, upc_op_t ops, upcr_ptr target)
{
    return upcr_atomic_size(type) && !(ops & ~upcr_atomic_ops(type)) && upcr_here(target);
}
