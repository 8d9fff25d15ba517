// What a byte of the shadow (access.h) means to the probe: how many operations own some of the memory, and whether it
// is in a window.
//
// Runs: with the lock of marks.c.
//
// Never: reads memory of the program's.
#ifndef UK_SHADOW_H
#define UK_SHADOW_H

#include "objects/access.h"

// The tests that bits of a window ask for.
static inline unsigned char uk_shadow_wanted(unsigned char window)
{
    _Static_assert(UK_SHADOW_WINDOW_STORES << 2 == UK_SHADOW_STORES && UK_SHADOW_WINDOW_LOADS << 2 == UK_SHADOW_LOADS,
                   "the same order");
    return (unsigned char)((window & (UK_SHADOW_WINDOW_STORES | UK_SHADOW_WINDOW_LOADS)) << 2);
}

// What a byte is once no operation owns some of the memory.
static inline unsigned char uk_shadow_of_window(unsigned char b)
{
    return (unsigned char)((b & (UK_SHADOW_WINDOW_STORES | UK_SHADOW_WINDOW_LOADS)) | uk_shadow_wanted(b));
}

static inline void uk_shadow_raise(unsigned char *p, unsigned char bits)
{
    if ((*p & UK_SHADOW_COUNT) != UK_SHADOW_COUNT)
        (*p)++;
    *p |= bits;
}

static inline void uk_shadow_lower(unsigned char *p)
{
    const unsigned char count = *p & UK_SHADOW_COUNT;
    if (count == 1)
        *p = uk_shadow_of_window(*p);
    else if (count > 1 && count != UK_SHADOW_COUNT)
        (*p)--;
}

// Whether operations own memory near by.
static inline bool uk_shadow_counts(uintptr_t low, uintptr_t high)
{
    for (const unsigned char *p = uk_shadow(low), *end = uk_shadow(high - 1) + 1; p < end; p++)
        if (*p & UK_SHADOW_COUNT)
            return true;
    return false;
}

#endif
