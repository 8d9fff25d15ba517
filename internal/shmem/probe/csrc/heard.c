/*
 * What a PE may hear of others by other ways than the library's, such as a file (outside/outside.c). It is recorded before the next call of the PE; memory that is shared with
 * others is taken to bring something before each.
 */
#include "outside/outside.h"
#include "sh.h"

static _Atomic int heard, lasting;

static void hear(bool always)
{
	if (!sh_between())
		return;
	atomic_store_explicit(always ? &lasting : &heard, 1, memory_order_relaxed);
}

void sh_heard_tell(struct sh_call *c)
{
	if (atomic_load_explicit(&lasting, memory_order_relaxed) || (atomic_load_explicit(&heard, memory_order_relaxed) && atomic_exchange(&heard, 0)))
		sh_put_record(c, (struct upcr_record){.kind = UKS_HEARD});
}

__attribute__((constructor)) static void begin(void) { uk_hears = hear; }
