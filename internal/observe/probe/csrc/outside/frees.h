// The functions of the C library by which a process frees memory: free, realloc, reallocarray and munmap stand before
// the real ones.
//
// Runs: uk_frees before memory is given back, and before and after realloc moves it, on every thread, in signal handlers and in
// a child after fork.
//
// Never: in it, calls what frees, but where it knows that it is called again.
#ifndef UK_FREES_H
#define UK_FREES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The last one: realloc may give it back.
enum uk_freed_how { UK_HOW_FREE = 1, UK_HOW_REALLOC, UK_HOW_UNMAP, UK_HOW_PERHAPS };

// Is called, once it is set, while uk_frees_wanted is not 0 and once uk_frees_all is set, with the memory, how it is given back, and the return
// address of who does it.
extern void (*uk_frees)(uintptr_t from, size_t size, enum uk_freed_how, void *site);
extern size_t uk_frees_wanted;
extern bool uk_frees_all;

#endif
