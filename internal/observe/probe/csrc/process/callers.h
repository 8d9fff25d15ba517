// From where a call is made: its place in the program and the calls that led there, up to main. The site word of a
// record has the number of these callers beside the call's return address (layout.go), so that records are equal only
// if all of that is.
//
// Runs: uk_callers_site in each recorded call of a program that is not Python's; the others at a thread's first call
// and at its end.
//
// Never: see callers.c.
#ifndef UK_CALLERS_H
#define UK_CALLERS_H

#include "writer/writer.h"

// What a thread knows of its callers. It is prepared for a ring that is this thread's now; without memory, or where it
// cannot be known, sites have no callers.
void uk_callers_create(struct uk_thread *);
// Ends it before the ring is left.
void uk_callers_leave(struct uk_thread *);
// A way to a call: its return address, its frame, and pairs of where a return address is on the stack and what it is.
struct uk_way {
    void *ra;
    void **frame;
    uint64_t site;
    struct uk_way *after; // that of the call that followed this one last
    const uint64_t *end;  // of the pairs
    uint32_t next;        // the way that has the same bucket, as its place among the words, 0 for none
    uint64_t pairs[];
};

static inline bool uk_came_by(const struct uk_way *w)
{
    for (const uint64_t *pair = w->pairs; pair < w->end; pair += 2)
        if (*(const uint64_t *)pair[0] != pair[1])
            return false;
    return true;
}

// The site word of a call that returns to ra, and is made to what has that frame.
uint64_t uk_callers_look(struct uk_thread *, void *ra, void **frame);
// The same of a thread with a ring. Programs repeat their calls, so the way is mostly the one that followed the last
// one before.
static inline uint64_t uk_callers_site(struct uk_thread *t, void *ra, void **frame)
{
    struct uk_way *w = t->way->after;
    if (UK_UNLIKELY(w->ra != ra || w->frame != frame || !uk_came_by(w)))
        return uk_callers_look(t, ra, frame);
    t->way = w;
    return w->site;
}

#endif
