// The functions of the C library by which a process may hear of others. They are the program's as well as the probe's own, so they are below all layers.
//
// Runs: uk_hears wherever the program or a library calls one of them, on every thread, in signal handlers and in a child after fork; uk_ears_init once.
//
// Never: in uk_hears, locks, allocates or sets errno.
#ifndef UK_EARS_H
#define UK_EARS_H

#include <stdbool.h>

// Is called, once it is set: the calling thread may hear something now or, if always, from now on at any time.
extern void (*uk_hears)(bool always);
// Has UCX, which takes the place of two of the functions in libraries that it knows, tell of them. After the library that brings it was initialised.
void uk_ears_init(void);

#endif
