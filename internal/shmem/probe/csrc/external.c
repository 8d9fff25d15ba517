/*
 * Records that a PE may have synchronised with others by means other than OpenSHMEM, such as a file
 * (outside/outside.c). The record comes before the PE's next call. If memory is shared with other processes, there is
 * one before each call.
 */
#include "outside/outside.h"
#include "sh.h"

static _Atomic int happened, lasting;

static void external(bool always)
{
    if (!sh_between())
        return;
    atomic_store_explicit(always ? &lasting : &happened, 1, memory_order_relaxed);
}

void sh_external_tell(struct sh_call *c)
{
    if (atomic_load_explicit(&lasting, memory_order_relaxed) ||
        (atomic_load_explicit(&happened, memory_order_relaxed) && atomic_exchange(&happened, 0)))
        sh_put_record(c, (struct upcr_record){.kind = UKS_EXTERNAL});
}

__attribute__((constructor)) static void begin(void)
{
    uk_on_external = external;
}
