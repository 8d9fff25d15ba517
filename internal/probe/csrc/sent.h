// Sends whose data the program must not change until they are complete (MPI-4.0, 3.7.2): sums of it are kept from the start
// and compared at the completion. Only if the session asks for it; without, a wrapper pays for one test of uk_sending.
//
// Data in one piece is read in up to 64 pieces: all of it up to 64 KiB, of more 64 pieces of 1 KiB, evenly spread, the first
// and the last bytes among them. Other data is packed by the MPI library first, as much of it as 64 KiB hold. What cannot be
// read is left out.
//
// A request is known by its handle. A library may give one handle to several sends that it is done with; at the first
// completion of such a handle all of its sends are compared, for none of them may have been changed until then, and forgotten.
#ifndef UK_SENT_H
#define UK_SENT_H

#include "rt.h"

extern bool uk_sending;

// A send as the program called it.
struct uk_sent_call {
    unsigned func;
    uint64_t site;
    const uint64_t *words; // of its Enter record
    unsigned n; // of them, at most UK_SENT_WORDS are kept
    const void *buf;
    MPI_Count count;
    MPI_Datatype type;
};
enum { UK_SENT_WORDS = 11 };

// After a call that has started a send, or made a persistent request of one.
void uk_sent_begin(uint64_t handle, const struct uk_sent_call *, bool persistent);
// Before the operations of n requests are started.
void uk_sent_start(unsigned func, uint64_t site, const uint64_t *handles, size_t n);
// After a call that has made a request of another kind; before one that frees or cancels a request.
void uk_sent_forget(uint64_t handle);
// Room for the handles of n requests, until the thread's next use of this.
uint64_t *uk_sent_keep(struct uk_thread *, size_t n);
// Once a request is complete, before the Exit record of the call that has found it so: tells what has changed.
void uk_sent_end(struct uk_thread *, uint64_t handle);

#endif
