// The memory behind buffers: what the probe tells of it. It judges nothing: whether a buffer fits into what it lies in,
// and whether anybody still uses what is gone, depends on datatypes and on requests, which the agent follows.
//
// Of stacks: where each begins and ends; that a call is given a buffer in which no frame is left; and, once the program
// has started something with a buffer on a stack, that a later call comes from a frame above it. For that a thread pays
// for two comparisons a call. Of the heap it is recorded which freed blocks contain buffers of pending operations
// (lent.h). More is not known without the library of heapsrc/heap.c; with it, which block each buffer lies in, and
// which of such blocks are freed. Where the order of threads is followed, it is recorded if memory that calls were
// given may have become other memory (reuse.h).
//
// Runs: uk_memory_init at MPI_Init, uk_memory_thread at a thread's first call, uk_memory_thread_started wherever the
// program starts a thread, uk_memory_freed wherever it frees memory, the others in recorded calls; uk_buffer in each
// that has a buffer.
//
// Never: reads the memory that it tells of. See memory.c.
#ifndef UK_MEMORY_H
#define UK_MEMORY_H

#include "objects/objects.h"

// Finds the library that follows the heap, if it is there. Once, by the thread that initialises MPI.
void uk_memory_init(void);
// Tells where this thread's stack is. Once a ring, before the first call.
void uk_memory_thread(struct uk_thread *);

// Takes in that the order of this thread is followed from now on: then it matters whether memory is given back and used
// again (reuse.h).
void uk_memory_follows(struct uk_thread *);
// At the begin of a thread whose order is followed: its stack may have been another one's.
void uk_memory_thread_begins(void);

// Says whether the bytes from low to high are memory that certainly can be read, and that no other thread can take away
// before they are: the stack that this call is on, variables of the program, and in a process without other threads of
// the program the heap up to its present end.
bool uk_memory_stays(uintptr_t low, uintptr_t high);
// Says whether an address is on this thread's stack or in a variable of the program, which no call frees.
bool uk_memory_fixed(uintptr_t at);
// Where this thread's stack ends, if that address is in it; else 0.
uintptr_t uk_memory_stack_end(uintptr_t at);
// The first takes in that the program starts a thread, the second says whether it has. Threads of the MPI library do
// not count.
void uk_memory_thread_started(void);
bool uk_memory_multithreaded(void);

// At each call from a frame above t->mark: tells what has happened to memory since the last one.
void uk_memory_call(struct uk_thread *, void **frame);

// Memory that was freed though an operation uses it: from where to where, how (a UK_FREED_…), by which call, and the
// call stack from there on, as far as it is known.
enum { UK_FREED_FRAMES = 16 };
struct uk_freed {
    uintptr_t from, to;
    uint64_t how, site, n;
    void *stack[UK_FREED_FRAMES];
};
// Has it recorded before the thread's next call, or if that has called nothing, before the next one of the thread that
// initialised MPI.
void uk_memory_freed(const struct uk_freed *);

// An array of an interpreter that a call was given: what it is (a UK_ARRAY_…), its bytes from where to where, the
// memory that it is a part of, whose bounds are 0 if they are not known, and the format of its elements in the words of
// Python's buffer protocol.
struct uk_array {
    uint64_t kind;
    uintptr_t from, to, low, high;
    const char *format;
    size_t length; // of the format
};
// Finds the array with an address among those that the program has given to calls; false if there is none. It may be
// asked in each recorded call.
typedef bool uk_memory_arrays(uintptr_t at, struct uk_array *);
// Has it be asked for each buffer. Before the first thread.
void uk_memory_has_arrays(uk_memory_arrays *);

void uk_memory_buffer(struct uk_thread *, unsigned param, uintptr_t at, bool stays);

// Before the Enter record of a call that is given a buffer; stays says that its operation may use it after the call.
static inline void uk_buffer(struct uk_thread *t, unsigned param, const void *at, bool stays)
{
    if ((uintptr_t)at - t->low < t->reach)
        uk_memory_buffer(t, param, (uintptr_t)at, stays);
}

#endif
