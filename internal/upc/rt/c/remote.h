/*
 * The inside of remote.c, for transfers that are not waited for at once (nb.c).
 */
#ifndef UPCR_REMOTE_H
#define UPCR_REMOTE_H

#include "rt.h"

enum { UPCR_PIECE = 1 << 30 }; /* MPI counts in int; larger transfers go in pieces */

#pragma GCC visibility push(hidden)
/* Completes earlier puts that touch these bytes, which must be in a segment. */
void upcr_keep_order(upcr_ptr p, unsigned long bytes);
/* Starts a transfer of at most UPCR_PIECE bytes with another node. */
MPI_Request upcr_start(int put, void *memory, upcr_ptr p, unsigned long bytes);
/* What upcr_put has written is there. */
void upcr_complete_puts(void);
/* All that this thread has put to another one is there. */
void upcr_complete_puts_to(int thread);
#pragma GCC visibility pop

#endif
