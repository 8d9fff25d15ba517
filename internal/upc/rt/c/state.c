/*
 * The variables that the rest of the program sees as const, so that the compiler may keep them in registers. This file
 * must not see those declarations, and nothing but set-up may call it.
 */
#include "state.h"

#pragma GCC visibility push(hidden)
int upcr_threads, upcr_thread, upcr_one_node;
unsigned long upcr_reciprocal;
char *upcr_node, *upcr_mine;
void *upcr_none;
unsigned char upcr_near[UPCR_STATE_THREADS];
int upcr_patience = 64;
_Thread_local int upcr_forall_depth;

/* The sections in which lowered code puts things exist even if it puts nothing there. */
const int upcr_static_none __attribute__((section("upcr_static"), used)) = 0;
void (*upcr_start_none)(void) __attribute__((section("upcr_start"), used)) = 0;
#pragma GCC visibility pop
__asm__(".pushsection upcr_shared,\"aw\",%nobits\n\t.balign 64\n\t.skip 64\n\t.popsection");
__asm__(".pushsection upcr_hidden,\"aw\",%nobits\n\t.balign 64\n\t.skip 64\n\t.popsection");

void upcr_state_set(const struct upcr_state *s)
{
    upcr_threads = s->threads;
    upcr_thread = s->thread;
    upcr_one_node = s->one_node;
    upcr_reciprocal = ((1UL << 63) + (unsigned long)s->threads - 1) / (unsigned long)s->threads;
    upcr_node = s->node;
    upcr_mine = s->node + ((unsigned long)s->thread << UPCR_STATE_SHIFT);
    for (int i = 0; i < UPCR_STATE_THREADS; i++)
        upcr_near[i] = s->near[i];
}
