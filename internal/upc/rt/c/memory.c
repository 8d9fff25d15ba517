/*
 * The allocation functions of upc.h (UPC 1.3, 7.2.3), and what it says of pointers-to-shared and affinity (7.2.2).
 */
#include "rt.h"

upcr_ptr upc_global_alloc(size_t blocks, size_t bytes);
upcr_ptr upc_all_alloc(size_t blocks, size_t bytes);
upcr_ptr upc_alloc(size_t bytes);
upcr_ptr upc_local_alloc(size_t blocks, size_t bytes);
void upc_free(upcr_ptr p);
void upc_all_free(upcr_ptr p);
size_t upc_threadof(upcr_ptr p);
size_t upc_phaseof(upcr_ptr p);
size_t upc_addrfield(upcr_ptr p);
upcr_ptr upc_resetphase(upcr_ptr p);
size_t upc_affinitysize(size_t total, size_t bytes, size_t thread);

/* What a thread holds of an object of so many blocks. Products that no segment holds become too large to be had. */
static unsigned long share(size_t blocks, size_t bytes)
{
    unsigned long rows = blocks / (unsigned long)upcr_threads + (blocks % (unsigned long)upcr_threads != 0), product;
    return __builtin_mul_overflow(rows, bytes, &product) ? UINT64_MAX : product;
}

upcr_ptr upc_global_alloc(size_t blocks, size_t bytes)
{
    upcr_ptr p = blocks && bytes ? upcr_alloc_global(share(blocks, bytes), "upc_global_alloc") : 0;
    upcr_record_alloc(p, share(blocks, bytes), 1);
    return p;
}

upcr_ptr upc_all_alloc(size_t blocks, size_t bytes)
{
    upcr_ptr p =
        upcr_tell(upcr_thread == 0 && blocks && bytes ? upcr_alloc_global(share(blocks, bytes), "upc_all_alloc") : 0);
    upcr_record_alloc(p, share(blocks, bytes), 1);
    return p;
}

upcr_ptr upc_alloc(size_t bytes)
{
    upcr_ptr p = bytes ? upcr_alloc_own(bytes, "upc_alloc") : 0;
    upcr_record_alloc(p, bytes, 0);
    return p;
}

/* Deprecated in UPC 1.2 and removed in 1.3. */
upcr_ptr upc_local_alloc(size_t blocks, size_t bytes)
{
    unsigned long product;
    if (__builtin_mul_overflow(blocks, bytes, &product))
        product = UINT64_MAX;
    upcr_ptr p = product ? upcr_alloc_own(product, "upc_local_alloc") : 0;
    upcr_record_alloc(p, product, 0);
    return p;
}

void upc_free(upcr_ptr p)
{
    upcr_record_free(p);
    if (!UPCR_IS_NULL(p))
        upcr_free_block(p, "upc_free");
}

/* The object is valid until all have entered, which is what orders their accesses before its end. */
void upc_all_free(upcr_ptr p)
{
    upcr_record_enter(0, 1, 0);
    upcr_barrier_inner();
    if (upcr_thread == 0 && !UPCR_IS_NULL(p)) {
        upcr_record_leave();
        upcr_record_free(p);
        upcr_free_block(p, "upc_all_free");
    }
}

size_t upc_threadof(upcr_ptr p)
{
    return upcr_threadof(p);
}

size_t upc_phaseof(upcr_ptr p)
{
    return upcr_phaseof(p);
}

size_t upc_addrfield(upcr_ptr p)
{
    return upcr_offset(p);
}

upcr_ptr upc_resetphase(upcr_ptr p)
{
    return upcr_resetphase(p);
}

size_t upc_affinitysize(size_t total, size_t bytes, size_t thread)
{
    if (total == 0)
        return 0;
    if (bytes == 0 || total <= bytes) /* indefinite, or one block */
        return thread == 0 ? total : 0;
    size_t blocks = total / bytes, rest = total % bytes, threads = (size_t)upcr_threads;
    size_t whole = blocks / threads + (thread < blocks % threads);
    return whole * bytes + (thread == blocks % threads ? rest : 0);
}
