// In which order threads of the program certainly do things, by what they do to each other otherwise than by MPI: vector
// clocks (Mattern, 1989). Whatever one thread hands on, such as a lock that it gives back, carries what it knows; who
// takes it knows that as well. A record before a thread's next call of MPI says what it knows, if that has changed.
//
// Runs: where the program locks, waits, signals and so on (order_posix.c, order_openmp.c), where it starts, joins and
// ends a thread (threads.c), and before calls of MPI.
//
// Never: waits for long. A lock here may be held by what a signal handler has interrupted, so after some tries nothing
// is said any more about the order of this process's threads; nor is it where there are more threads or objects than
// there is room for.
#ifndef UK_ORDER_H
#define UK_ORDER_H

#include "process/process.h"
#include "writer/lock.h"

enum { UK_ORDER_THREADS = 64 };
#define UK_ORDER_VAGUE UINT64_MAX // it is not said any more when calls return

// What a thread knows: of each thread, up to which of its turns. Another turn begins with the first call after the thread
// has handed something on.
struct uk_clock {
    uint32_t at[UK_ORDER_THREADS];
};

// What a process has for each thing that is handed on besides its clock.
struct uk_handed {
    const void *key;
    uint64_t changed;           // a number that nothing else has
    uint32_t parties, arrivals; // of a barrier, 0 if not known
    bool written;               // a lock of readers and a writer: the writer has it
    struct uk_clock clock, readers;
};

// Begins with the thread that initialises MPI.
void uk_order_init(struct uk_thread *);
void uk_order_posix_init(void);
// The function of that name which stands behind the probe's, and where that is kept.
void *uk_behind_slow(void **kept, const char *name);
static inline void *uk_behind(void **kept, const char *name)
{
    void *f = __atomic_load_n(kept, __ATOMIC_RELAXED);
    return UK_LIKELY(f != NULL) ? f : uk_behind_slow(kept, name);
}
// Whether this thread's order is followed now.
static inline bool uk_order_followed(void)
{
    return uk_self.follows && uk_self.gate != UK_INSIDE &&
           __atomic_load_n(&uk_process.state, __ATOMIC_ACQUIRE) == UK_ON;
}
// The same, and whether there is another thread, to which something could be handed on.
static inline bool uk_order_shared(void)
{
    return uk_order_followed() && __atomic_load_n(&uk_process.threads, __ATOMIC_ACQUIRE) > 0;
}
// Hands on what this thread knows, to whoever takes what has that address.
void uk_order_gives(const void *);
void uk_order_takes(const void *);
// The same with a clock.
void uk_order_gives_to(struct uk_clock *);
void uk_order_takes_from(const struct uk_clock *);
// The same where several threads may give at the same time. False if all of that is known there.
bool uk_order_adds_to(struct uk_clock *, uk_lock_t *);
// The same with a part of a clock, of as many threads as there are by now.
unsigned uk_order_width(void);
void uk_order_gives_part(uint32_t *to, unsigned width);
void uk_order_takes_part(const uint32_t *from, unsigned width);
// The same of what some write, and others only read: these order nothing among themselves.
void uk_order_gives_shared(const void *, bool wrote);
void uk_order_takes_shared(const void *, bool writes);
// The same of a lock that readers may share.
void uk_order_takes_lock(const void *, bool writes);
void uk_order_gives_lock(const void *);
// From now on nothing is said about the order of this process's threads.
void uk_order_lose(void);
// A barrier: how many threads it waits for; before waiting there, the result of which is for after that.
void uk_order_barrier(const void *, unsigned parties);
unsigned uk_order_arrives(const void *);
void uk_order_passes(const void *, unsigned arrival);
// A thread begins with what its starter has handed on, and leaves what it knows at its end.
void uk_order_begins(unsigned index, const struct uk_clock *);
void uk_order_ends(void);
void uk_order_joined(unsigned index);
// The function or the library by which the program may order its threads and which is not followed here; NULL if there
// is none (ordering.c).
const char *uk_order_by(void);

#endif
