/*
 * The making of segments, for setup.c.
 */
#ifndef UPCR_SEGMENT_H
#define UPCR_SEGMENT_H

#include "rt.h"

/* Where segments are mapped if the kernel has that address: far from what else a process has, so that there is
   nothing where a pointer-to-shared with a thread that there is not leads. */
#define UPCR_REMOTE (1UL << 45)

#pragma GCC visibility push(hidden)
/* Addresses for the segments of all threads, without memory; NULL and errno if there are none. */
char *upcr_reserve(int threads);
/* Makes my segment and maps the parts of all segments of my node into s->node. Collective over all threads. Says
   what is wrong and returns 0 if it fails. */
int upcr_map_segments(const struct upcr_state *s);
#pragma GCC visibility pop

#endif
