// Memory of windows, which other processes may change. No lock is taken here: the caller has one.
//
// Runs: in recorded calls, with the lock of sent.c.
//
// Never: see sent_windows.c.
#ifndef UK_SENT_WINDOWS_H
#define UK_SENT_WINDOWS_H

#include "objects/objects.h"

void uk_window_made(MPI_Win, MPI_Comm, const void *base);
void uk_window_freed(MPI_Win);
void uk_window_attached(MPI_Win, const void *base, MPI_Aint size);
void uk_window_detached(MPI_Win, const void *base);
// Says whether some of the bytes from low to high may belong to a window.
bool uk_window_meets(uintptr_t low, uintptr_t high);

#endif
