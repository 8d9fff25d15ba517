// Locks of the probe's own, which no other library stands in for, and which are not taken for the program's. They are
// held for a few instructions.
//
// Runs: where the probe keeps something that several threads change.
//
// Never: orders who waits; changes errno.
#ifndef UK_LOCK_H
#define UK_LOCK_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t uk_lock_t; // 0 is free

static inline bool uk_trylock(uk_lock_t *l)
{
    return __atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE) == 0;
}

static inline void uk_lock(uk_lock_t *l)
{
    while (!uk_trylock(l))
        sched_yield();
}

static inline void uk_unlock(uk_lock_t *l)
{
    __atomic_store_n(l, 0, __ATOMIC_RELEASE);
}

#endif
