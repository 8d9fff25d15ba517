// The functions of the C library by which a process may communicate with others. Both the program and the probe call
// them, so they are below all layers.
//
// Runs: uk_on_external, uk_on_interaction, uk_on_output and uk_until wherever the program or a library calls one of
// them, on every thread, in signal handlers and in a child after fork; uk_outside_init once.
//
// Never: in these, locks, allocates or sets errno.
#ifndef UK_OUTSIDE_H
#define UK_OUTSIDE_H

#include <stdbool.h>
#include <time.h>

// Is called, once it is set: the calling thread may synchronise with others now or, if always, at any time from now on.
extern void (*uk_on_external)(bool always);

// What a call has to do with others.
enum uk_how {
    UK_HOW_PROCESS, // something other than a file: a process, a signal, a socket
    UK_HOW_ASKED,   // a path: whether something is there, and what
    UK_HOW_OPENED,  // a path, with flags
    UK_HOW_READ,    // an open file, or something else that is open
    UK_HOW_WROTE,   // the same
    UK_HOW_SHARED,  // an open file is read and written at any time from now on, or has been locked
    UK_HOW_MADE,    // a path: what is there was made, removed or replaced
    UK_HOW_NAMED,   // the name of a semaphore
    UK_HOW_CLOSED,  // an open file
};

// One such call: of which function, by which return address, and the path (in a directory, as for openat) or the open
// file, which is less than 0 if there is none.
struct uk_interaction {
    const char *name;
    void *site;
    enum uk_how how;
    int dir, flags;
    const char *path;
    int f;
    bool missing; // there is nothing at the path
};

// Is called, if it is set, after such a call or, for UK_HOW_CLOSED, before it or after it.
extern void (*uk_on_interaction)(const struct uk_interaction *);

// Is called, if it is set, before something is written to standard error by write or writev.
struct iovec;
extern void (*uk_on_output)(int file, const struct iovec *, int n);
// The file by which the MPI library speaks to the launcher, for which uk_on_output is called too; -1 if there is none.
extern int uk_manager;

// Gives the time until which a call waits by the machine's clock, if the program sees another one (room is where it may
// be put).
extern const struct timespec *(*uk_until)(clockid_t, const struct timespec *, struct timespec *room);

// Are called, once they are set, by the functions of the C library by which threads wait for each other up to a certain
// time, and by semaphores: after this thread has got a lock, as a writer or not, or what others hand on; before it gives
// back a mutex.
extern void (*uk_on_taken)(const void *, bool writes);
extern void (*uk_on_given)(const void *lock);

// The same after a call that has returned 0 if it has got something, which it returns.
static inline int uk_taken(int rc, const void *what, bool writes)
{
    if (rc == 0 && uk_on_taken)
        uk_on_taken(what, writes);
    return rc;
}

// The same around a call that waits for a condition.
static inline void uk_waits(const void *lock)
{
    if (uk_on_given)
        uk_on_given(lock);
}
static inline int uk_waited(int rc, const void *condition, const void *lock)
{
    uk_taken(0, lock, true);
    uk_taken(0, condition, false);
    return rc;
}

// Has UCX, which takes the place of two of the functions in libraries that it knows, tell of them. After the library
// that brings it was initialised.
void uk_outside_init(void);

#endif
