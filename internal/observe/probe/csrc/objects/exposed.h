// Memory that other processes may access at any time, as it is in a window (MPI-4.0, 12.7) or symmetric (OpenSHMEM 1.4,
// 3.1): what the program itself loads and stores there, if it was compiled so that this is seen (access.h). It is
// recorded before the next call of the process; whether something conflicts with it is decided elsewhere. The probe for
// OpenSHMEM is compiled with the same file; what is called a window here is a piece of memory, and a rank a process.
//
// What a rank does between two calls is one: a second access to the same bytes says nothing new, so the mark is taken
// from them until the rank has recorded it. Accesses of one place in the code are put together, to runs of bytes and to
// runs at equal distances. A place with very many is looked at now and then only, and so is what is accessed again and
// again behind the same call: a mark that was taken away comes back later.
//
// Runs: with the lock of marks.c; uk_exposed_touch wherever the program accesses memory.
//
// Never: allocates, locks, calls MPI or the program.
#ifndef UK_EXPOSED_H
#define UK_EXPOSED_H

#include "objects/access.h"
#include <stdbool.h>

// No access is left out, which costs more. It is set before anything else.
extern bool uk_exposed_all;
// By how many thousandths the program may be slowed down, 0 for no bound: while it has been by more, as far as the
// costs of noting an access are known, only places in the code and behind calls are looked at that were not before.
extern unsigned uk_exposed_slowdown;

// Of memory of a window, marks all and says whether there is room to remember it. The shadow is there.
bool uk_exposed_add(uint64_t win, uintptr_t low, uintptr_t high);
// The same, unless a piece of the window has it all; what continues a piece makes that longer. It says how many pieces
// there are more.
unsigned uk_exposed_cover(uint64_t win, uintptr_t low, uintptr_t high);
// Takes the marks from the memory of a window that begins at an address, or with 0 from all of it, and says how many
// pieces of memory that were.
unsigned uk_exposed_drop(uint64_t win, uintptr_t low);
// Whether memory is in a window with this number or a higher one.
bool uk_exposed_meets(uint64_t win, uintptr_t low, uintptr_t high);
// Takes in an access; true if its rank has something new to tell.
bool uk_exposed_touch(uintptr_t at, size_t size, int how, uintptr_t site, int thread);
// Whether what comes behind a call at a site is looked at again: at first, and later now and then.
bool uk_exposed_wanted(uintptr_t site);
// Runs of bytes that one place in the code has accessed between two calls: n of them, of one size, at equal distances.
struct uk_exposed_runs {
    uint64_t born; // when the first access came, among all
    uintptr_t low, site;
    size_t size, n;
    intptr_t stride;
    int how, thread; // UK_ACCESS_…
    bool sparse;     // not all has been looked at
};
// Tells what was accessed since the last time, in the order of the first accesses; with again, marks whatever has lost
// its mark.
void uk_exposed_tell(void (*tell)(void *to, const struct uk_exposed_runs *), void *to, bool again);

#endif
