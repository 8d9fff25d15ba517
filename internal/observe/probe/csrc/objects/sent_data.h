// The data of a send, looked at twice: how it is laid out, and sums of its pieces. No lock is taken here: the caller
// has one.
//
// Memory that the program may have unmapped, or that only a device can read, is never read as it is. What is: the
// thread's own stack above this frame, the program's variables, and, as long as the program has no other threads, the
// heap below its end and pages that the kernel has just read. Other memory is copied by the kernel (process_vm_readv),
// which fails where a load would be the process's end.
//
// Runs: in recorded calls, with the lock of sent.c.
//
// Never: see sent_data.c.
#ifndef UK_SENT_DATA_H
#define UK_SENT_DATA_H

#include "objects/objects.h"

enum { UK_SENT_PIECES = 64 };

struct uk_data {
    uintptr_t at;       // of the first byte, if it is in one piece
    size_t bytes;       // of data, as far as it is looked at
    size_t piece, step; // lengths, and distances from one to the next
    unsigned n;         // pieces
    bool packed;        // by the MPI library before it is looked at, as it has gaps
    MPI_Datatype all;   // then: a type of our own that is all of it, at base
    void *base;
    uintptr_t low, high; // what the data reaches over
};

// Finds out where the data of a send is; false if there is none, or it cannot be looked at. Much says that more of it
// is.
bool uk_data_find(struct uk_data *, bool much, const void *buf, MPI_Count count, MPI_Datatype type);
// Sums up the pieces; false if the data cannot be read.
bool uk_data_sums(const struct uk_data *, uint64_t sums[UK_SENT_PIECES]);
void uk_data_drop(struct uk_data *);
// The size of a predefined datatype that has no gaps; 0 of others.
size_t uk_data_dense(MPI_Datatype);

// Where piece i begins in the data. The last one ends with it.
static inline size_t uk_data_offset(const struct uk_data *d, unsigned i)
{
    return i + 1 == d->n ? d->bytes - d->piece : i * d->step;
}

#endif
