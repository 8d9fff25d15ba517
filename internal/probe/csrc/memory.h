// The memory behind buffers: what the probe tells of it. It judges nothing: whether a buffer fits into what it lies in, and
// whether anybody still uses what is gone, depends on datatypes and on requests, which the agent follows.
//
// Of stacks: where each begins and ends; that a call is given a buffer in which no frame is left; and, once the program has
// started something with a buffer on a stack, that a later call comes from a frame above it. For that a thread pays for two
// comparisons a call. Of the heap nothing is known without the library of heapsrc/heap.c; with it, which block each buffer
// lies in, and which of such blocks are freed.
#ifndef UK_MEMORY_H
#define UK_MEMORY_H

#include "rt.h"

// Finds the library that follows the heap, if it is there. Once, by the thread that initialises MPI.
void uk_memory_init(void);
// Tells where this thread's stack is. Once a ring, before the first call.
void uk_memory_thread(struct uk_thread *);

void uk_memory_buffer(struct uk_thread *, unsigned param, uintptr_t at, bool stays);

// Before the Enter record of a call that is given a buffer; stays says that its operation may use it after the call.
static inline void uk_buffer(struct uk_thread *t, unsigned param, const void *at, bool stays)
{
    if ((uintptr_t)at - t->low < t->reach)
        uk_memory_buffer(t, param, (uintptr_t)at, stays);
}

#endif
