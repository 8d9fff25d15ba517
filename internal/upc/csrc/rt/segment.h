/*
 * The making of segments, for setup.c.
 */
#ifndef UPCR_SEGMENT_H
#define UPCR_SEGMENT_H

#include "rt.h"

#pragma GCC visibility push(hidden)
/* Addresses for the segments of all threads, without memory; NULL and errno if there are none. */
char *upcr_reserve(int threads);
/* Makes my segment and maps those of my node into s->node. Collective over all threads. Says what is wrong and returns 0 if it fails. */
int upcr_map_segments(const struct upcr_state *s, unsigned long bytes);
#pragma GCC visibility pop

#endif
