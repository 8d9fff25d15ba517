/*
 * What set-up finds out once and the rest of the program takes as constant. Included by state.c, which does not see
 * upcr.h.
 */
#ifndef UPCR_STATE_H
#define UPCR_STATE_H

enum { UPCR_STATE_THREADS = 1024, UPCR_STATE_SHIFT = 34 }; /* UPCR_MAX_THREADS, UPCR_OFFSET_BITS; asserted in setup.c */

struct upcr_state {
    int threads, thread, one_node;
    char *node;
    unsigned char near[UPCR_STATE_THREADS];
};

void upcr_state_set(const struct upcr_state *s) __attribute__((visibility("hidden")));

#endif
