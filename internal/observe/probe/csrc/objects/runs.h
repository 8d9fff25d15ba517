// Where the data of a datatype is: runs of bytes, as a list without gaps between two of them that touch.
//
// Runs: in recorded calls, with the lock of sent.c.
//
// Never: asks about a type that the program has not passed to a call that succeeded. See runs.c.
#ifndef UK_RUNS_H
#define UK_RUNS_H

#include "objects/objects.h"

// Bytes of memory from low to high, which MPI writes or only reads.
struct uk_run {
    uintptr_t low, high;
    bool writes;
};

// A list that grows. Of what has more runs than this, nothing is known.
enum { UK_RUNS_MOST = 1 << 16 };
struct uk_runs {
    struct uk_run *at;
    size_t n, room;
};

// Adds the data of so many elements of a datatype at an address; false if its layout is not known, or there are too
// many runs.
bool uk_runs_add(struct uk_runs *, uintptr_t at, MPI_Count count, MPI_Datatype type, bool writes);
// Puts them into the order of their addresses.
void uk_runs_sort(struct uk_runs *);

#endif
