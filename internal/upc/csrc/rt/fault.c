/*
 * Accesses to shared memory that is not there. A handler may only say so, by one write: then it lets the fault happen again, for
 * whoever would have handled it otherwise.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>

#include "rt.h"

static struct sigaction before_segv, before_bus;

void upcr_wrong_place(unsigned long thread, unsigned long offset)
{
	if (thread == 0 && offset < UPCR_CONTROL_OFFSET)
		upcr_say("thread %d follows a null pointer-to-shared; hint: gdb shows where", upcr_thread);
	else
		upcr_say("thread %d reaches for address %#lx in the shared memory of thread %lu, which ends at %#lx; hint: gdb shows where", upcr_thread,
		         offset, thread, upcr_heap_high);
}

static void fault(int signal, siginfo_t *info, void *context)
{
	(void)context;
	unsigned long at = (unsigned long)((char *)info->si_addr - upcr_node);
	if (at < (unsigned long)upcr_threads << UPCR_OFFSET_BITS) {
		if (signal == SIGBUS)
			upcr_say("thread %d finds no memory for its shared data; hint: fewer threads on this machine, or less data", upcr_thread);
		else
			upcr_wrong_place(at >> UPCR_OFFSET_BITS, at & (UPCR_SEGMENT - 1));
	}
	sigaction(signal, signal == SIGBUS ? &before_bus : &before_segv, NULL);
}

void upcr_fault_prepare(void)
{
	struct sigaction handler = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO};
	sigaction(SIGSEGV, &handler, &before_segv);
	sigaction(SIGBUS, &handler, &before_bus);
}
