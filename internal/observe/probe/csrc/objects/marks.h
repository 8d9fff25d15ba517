// Memory that MPI owns, from the start of an operation to its completion (MPI-4.0, 3.7.2, 12.3): marked in a shadow, so
// that the program's own loads and stores there are seen, if it was compiled for that (access.h). A store to what an
// operation reads is noted, and any access to what it writes, in exact bytes.
//
// Whose operation it is follows sent.h, which keeps one struct uk_marks for each.
//
// Runs: uk_marks_init at MPI_Init, the others in recorded calls; the function that notes an access, wherever the
// program makes it, in its signal handlers too.
//
// Never: see marks.c.
#ifndef UK_MARKS_H
#define UK_MARKS_H

#include "objects/runs.h"

// A buffer of a call: n blocks, each with its count, displacement and datatype where there are arrays of these. The
// wide ones are of MPI_Count or MPI_Aint, the others of int. Displacements are in elements, with types in bytes;
// without any, one block follows the other.
struct uk_part {
    const void *at;
    size_t n;
    bool writes, wide_counts, wide_displs;
    MPI_Count count; // where there is no array
    const void *counts, *displs;
    MPI_Datatype type;
    const MPI_Datatype *types;
};

enum { UK_MARKS_SITES = 4 };

struct uk_marks {
    struct uk_marks *next, *previous; // of those that are on
    struct uk_runs runs;
    bool on;
    unsigned inside; // 1 more than the index of the thread whose blocking call it is; 0 if it is pending
    unsigned nsites; // from which accesses have been noted
    uintptr_t sites[UK_MARKS_SITES];
};

// Whether accesses to windows are looked at, to all of them, and by how many thousandths that may slow the program
// down, 0 for no bound.
struct uk_marks_windows {
    bool wanted, all;
    unsigned slowdown;
};

// Makes the page that the runtime of the program knows; true if the program tests its accesses. Arrive is called when a
// part of it comes later that does; then code may stand elsewhere, and maps records where it is, for those who get the
// accesses.
bool uk_marks_init(void (*arrive)(void), void (*maps)(struct uk_thread *), const struct uk_marks_windows *);
// Finds out what the buffers of a call are; false if there are none, or nothing is known of them.
bool uk_marks_find(struct uk_marks *, const struct uk_part *, size_t n);
void uk_marks_on(struct uk_marks *);
void uk_marks_off(struct uk_marks *);
// Gives back what uk_marks_find has made.
void uk_marks_drop(struct uk_marks *);
// Something may have been completed unseen: nothing is noted, until it is sure again what is marked. It is one store,
// for signal handlers too.
void uk_marks_doubt(bool doubtful);
// Tells of the accesses that have been noted since the last time.
void uk_marks_tell(struct uk_thread *);

// Has accesses of the program's own to memory of a window be noted (exposed.h), if it is not too large. For
// uk_marks_window_gone see uk_exposed_drop.
enum { UK_MARKS_WINDOW = 1 << 30 };
bool uk_marks_window(uint64_t win, uintptr_t low, uintptr_t high);
void uk_marks_window_gone(uint64_t win, uintptr_t low);
// Tells of these accesses: before the Enter record of a call.
void uk_marks_tell_windows(struct uk_thread *);
// For a child after fork, where it is not known who has the lock: nothing is noted any more.
void uk_marks_end(void);

#endif
