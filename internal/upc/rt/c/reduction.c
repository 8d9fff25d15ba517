/*
 * What reductions of all types share: checks of their arguments, memory that they need for a while.
 */
#include <stdlib.h>

#include "reduction.h"

void upcr_check_op(const char *function, int op, int integer, int has_func)
{
    const int bitwise = UPC_AND | UPC_OR | UPC_XOR,
              others = UPC_ADD | UPC_MULT | UPC_LOGAND | UPC_LOGOR | UPC_MIN | UPC_MAX;
    const int functions = UPC_FUNC | UPC_NONCOMM_FUNC, known = others | functions | (integer ? bitwise : 0);
    if (op <= 0 || (op & (op - 1)) || !(op & known))
        upcr_fail("thread %d calls %s with the operator %#x, which is not valid for its type; hint: one of UPC_ADD, "
                  "UPC_MULT, %sUPC_LOGAND, "
                  "UPC_LOGOR, UPC_MIN, UPC_MAX, UPC_FUNC, UPC_NONCOMM_FUNC",
                  upcr_thread, function, (unsigned)op, integer ? "UPC_AND, UPC_OR, UPC_XOR, " : "");
    if ((op & functions) && !has_func)
        upcr_fail("thread %d calls %s with an operator that needs a function, and a null pointer for it; hint: func is "
                  "the function of two "
                  "operands",
                  upcr_thread, function);
}

void upcr_check_shape(const char *function, upcr_ptr dst, upcr_ptr src, size_t size)
{
    if (upcr_threadof(dst) != upcr_threadof(src) || (size && upcr_phaseof(dst) != upcr_phaseof(src)))
        upcr_fail("thread %d calls %s with a destination (thread %lu, phase %lu) and a source (thread %lu, phase %lu) "
                  "that differ in thread or phase; "
                  "hint: both must have the same affinity and phase",
                  upcr_thread, function, upcr_threadof(dst), upcr_phaseof(dst), upcr_threadof(src), upcr_phaseof(src));
}

/* Where block i is, wherever that is. */
static upcr_ptr place_of(const struct upcr_blocks *b, upcr_ptr base, size_t i)
{
    size_t thread = (size_t)b->first + i, row = thread / (size_t)upcr_threads;
    size_t offset = upcr_offset(base) + row * b->size * b->es;
    return upcr_make(thread % (size_t)upcr_threads, 0, i ? offset - b->phase * b->es : offset);
}

void upcr_record_blocks(const struct upcr_blocks *b, upcr_ptr base, int write)
{
    size_t threads = (size_t)upcr_threads;
    for (size_t first = 0; upcr_recording && first < threads && first < b->blocks; first++) {
        size_t last = first + (b->blocks - 1 - first) / threads * threads;
        upcr_ptr from = place_of(b, base, first);
        size_t bytes = place_of(b, base, last) - from + upcr_block_count(b, last) * b->es;
        if (write)
            upcr_record_gets(from, bytes);
        else
            upcr_record_gives(from, bytes);
    }
}

void *upcr_scratch(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        upcr_fail(
            "thread %d has no memory for %zu bytes that a collective function needs; hint: fewer or larger blocks",
            upcr_thread, bytes);
    return memory;
}

upcr_ptr upcr_block_scratch(const struct upcr_blocks *b)
{
    size_t rows = b->blocks / (size_t)upcr_threads + 1;
    return upcr_tell(upcr_thread == 0 ? upcr_alloc_global(rows * 16, "a collective function") : 0);
}

/* All have passed a barrier since they wrote to it, but may still be reading. */
void upcr_scratch_done(upcr_ptr scratch)
{
    upcr_barrier_inner();
    if (upcr_thread == 0)
        upcr_free_block(scratch, "a collective function");
}
