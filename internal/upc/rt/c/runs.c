/*
 * Copies between private memory and elements of blocks, for loops that lowered code found to be such copies. Must not
 * be used where the private side is shared memory seen through a pointer-to-local: there the order of the single copies
 * could matter.
 */
#include "upcr.h"

/* How many of n elements from p on lie in one piece. */
static long piece(upcr_ptr p, long n, long b)
{
    long left = b - (long)upcr_phaseof(p);
    return b > 0 && left < n ? left : n;
}

void upcr_get_run(void *to, upcr_ptr from, long n, long b, long es)
{
    for (char *at = to; n > 0;) {
        long k = piece(from, n, b);
        upcr_get(at, from, (unsigned long)(k * es));
        at += k * es;
        from = upcr_add(from, k, b, es);
        n -= k;
    }
}

void upcr_put_run(upcr_ptr to, const void *from, long n, long b, long es)
{
    for (const char *at = from; n > 0;) {
        long k = piece(to, n, b);
        upcr_put(to, at, (unsigned long)(k * es));
        at += k * es;
        to = upcr_add(to, k, b, es);
        n -= k;
    }
}

int upcr_is_private(const void *first, long n, long es)
{
    unsigned long at = (unsigned long)first, segments = (unsigned long)upcr_node;
    return at + (unsigned long)(n * es) <= segments || at >= segments + (unsigned long)upcr_threads * UPCR_SEGMENT;
}
