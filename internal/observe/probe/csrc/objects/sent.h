// Pending operations, from their start to their completion. The program must not change what they read (MPI-4.0, 3.7.2,
// on windows 12.3): sums of it are kept from the start and compared at the completion. And it must not access what they
// write: marks.h, if it was compiled so that this is seen. Unless the session asks for it, a wrapper pays for one test
// of uk_sending.
//
// Of data in one piece all is looked at if it is short, of more some samples, evenly spread, the first and the last
// bytes among them; how much that is, sent_data.c says. Other data is packed by the MPI library first. What cannot be
// read is left out.
//
// A request is known by its handle. A library may give one handle to several sends that it is done with; at the first
// completion of such a handle all of its sends are compared, for none of them may have been changed until then, and
// forgotten. An operation on a window is known by the window and its target, and one with a request by both.
//
// Runs: in recorded calls, and uk_sent_unseen also in calls that are not recorded, or are left by a jump, perhaps in a
// signal handler; uk_sent_freed outside of recorded calls, wherever the program frees memory.
//
// Never: see sent.c.
#ifndef UK_SENT_H
#define UK_SENT_H

#include "objects/lent.h"
#include "objects/marks.h"

// How closely data is looked at, if at all; whether the program's accesses to what MPI owns are (marks.h); to windows,
// too; and to these all of them, instead of some; whether it is recorded that the memory of buffers is freed (lent.h).
enum {
    UK_SENT_NOT,
    UK_SENT_SOME,
    UK_SENT_MORE,
    UK_SENT_DATA = 3,
    UK_SENT_MARKS = 4,
    UK_SENT_WINDOWS = 8,
    UK_SENT_ALL = 16,
    UK_SENT_LENT = 32
};
extern unsigned uk_sending;

// An operation as the program called it.
struct uk_sent_call {
    unsigned func;
    uint64_t site;
    const uint64_t *words; // of its Enter record
    unsigned n;            // of them, at most UK_SENT_WORDS are kept
    bool sends;            // the data at buf is compared
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
    const struct uk_part *parts; // what belongs to MPI until the operation is complete
    size_t nparts;
    const void *lent[2]; // the buffers that it uses, as far as there are any
};
enum { UK_SENT_WORDS = 11 };

// At MPI_Init: what is to be looked at, and by how many thousandths that may slow the program's accesses to windows
// down, 0 for no bound. Maps tells where code stands.
void uk_sent_init(unsigned how, unsigned slowdown, void (*maps)(struct uk_thread *));

// After a call that has started an operation, or made a persistent request of one.
void uk_sent_begin(uint64_t handle, const struct uk_sent_call *, bool persistent);
// Before a blocking call and after it: until it returns, other threads must not access its buffers.
void uk_sent_inside(struct uk_thread *, const struct uk_sent_call *);
void uk_sent_outside(struct uk_thread *);
// After one of which no more is to be known than where its buffers are, if that.
void uk_sent_lend(uint64_t handle, const void *buf, const void *other, bool persistent);
// Says whether the memory of a buffer is being freed, and that for the first time. Whoever else has the lock is waited
// for only for a moment.
bool uk_sent_freed(uintptr_t low, uintptr_t high);
// After a call that has made the request of a partitioned operation, of which the call describes the first partition.
// At most UK_SENT_PARTS are looked at.
enum { UK_SENT_PARTS = 128 };
void uk_sent_parts(uint64_t handle, const struct uk_sent_call *, int partitions);
// After partitions of a send have been given to MPI.
void uk_sent_ready(unsigned func, uint64_t site, uint64_t handle, int low, int high);
// Once a partition has arrived, before the Exit record of the call that has found it.
void uk_sent_arrived(struct uk_thread *, uint64_t handle, int partition);
// Before the operations of n requests are started.
void uk_sent_start(unsigned func, uint64_t site, const uint64_t *handles, size_t n);
// After a call that has made a request of which nothing is to be known; before one that frees or cancels a request;
// after one that failed.
void uk_sent_forget(uint64_t handle);
// Room for the handles of n requests, until the thread's next use of this.
uint64_t *uk_sent_keep(struct uk_thread *, size_t n);
// Once a request is complete, before the Exit record of the call that has found it so: tells what has changed.
void uk_sent_end(struct uk_thread *, uint64_t handle);
// Before a call that is not seen completes requests or operations: nothing is known any more of any.
void uk_sent_unseen(void);

// After a call that has started an operation on a window; request is 0 if it has none.
void uk_sent_put(uint64_t request, MPI_Win, int target, const struct uk_sent_call *);
// Says whether an operation reads its origin: MPI_NO_OP does not (MPI-4.0, 12.3.4).
bool uk_sent_read(MPI_Op);
// After a call that completes, at the origin, the operations on a window to a target, or with -1 all; failed says that
// it did not.
void uk_sent_settle(struct uk_thread *, MPI_Win, int target, bool failed);
// Before a window is freed.
void uk_sent_drop(MPI_Win);
// After a window was made of memory, and before memory is attached to one or detached: other processes may access it.
// base is what a call has given that allocates the memory, else NULL.
void uk_sent_window(MPI_Win, MPI_Comm, const void *base);
void uk_sent_attached(MPI_Win, const void *base, MPI_Aint size);
void uk_sent_detached(MPI_Win, const void *base);

#endif
