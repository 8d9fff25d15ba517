/*
 * 64-bit words of the run-time that several threads change at a time. Nothing else may be done with them meanwhile.
 */
#include "ask.h"
#include "atomic.h"

static uint64_t do_word(_Atomic uint64_t *at, const struct upcr_ask *ask)
{
    uint64_t before = ask->a;
    switch (ask->op) {
    case UPCR_LOAD:
        return atomic_load(at);
    case UPCR_STORE:
        atomic_store(at, ask->a);
        return 0;
    case UPCR_SWAP:
        return atomic_exchange(at, ask->a);
    case UPCR_ADD:
        return atomic_fetch_add(at, ask->a);
    default:
        atomic_compare_exchange_strong(at, &before, ask->b);
        return before;
    }
}

uint64_t upcr_do(void *at, const struct upcr_ask *ask)
{
    return ask->kind == UPCR_ASK_WORD ? do_word(at, ask) : upcr_atomic_do(at, ask->kind, ask->op, ask->a, ask->b);
}

/* Inlined with a constant op, so that a word on my node costs one instruction. */
static inline __attribute__((always_inline)) uint64_t word(upcr_ptr p, int op, uint64_t a, uint64_t b)
{
    struct upcr_ask ask = {.op = op, .offset = upcr_offset(p), .a = a, .b = b};
    return upcr_here(p) ? do_word(upcr_at(p), &ask) : upcr_question((int)upcr_threadof(p), &ask);
}

uint64_t upcr_word_load(upcr_ptr p)
{
    return word(p, UPCR_LOAD, 0, 0);
}

void upcr_word_store(upcr_ptr p, uint64_t v)
{
    word(p, UPCR_STORE, v, 0);
}

uint64_t upcr_word_swap(upcr_ptr p, uint64_t v)
{
    return word(p, UPCR_SWAP, v, 0);
}

uint64_t upcr_word_add(upcr_ptr p, uint64_t v)
{
    return word(p, UPCR_ADD, v, 0);
}

uint64_t upcr_word_cas(upcr_ptr p, uint64_t old, uint64_t new)
{
    return word(p, UPCR_CAS, old, new);
}
