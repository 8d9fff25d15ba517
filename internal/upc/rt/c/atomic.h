/*
 * The operations of upc_atomic.h on an object of my node, for whoever has them done here.
 */
#ifndef UPCR_ATOMIC_H
#define UPCR_ATOMIC_H

#include <stdint.h>

#pragma GCC visibility push(hidden)
/* The bits of a value of the type, in the low bytes. Gives those that were there before. */
uint64_t upcr_atomic_do(void *at, int type, int op, uint64_t a, uint64_t b);
/* The size of the type; 0 if atomic operations do not accept it. */
unsigned upcr_atomic_size(int type);
/* The operations that the type has. */
int upcr_atomic_ops(int type);
#pragma GCC visibility pop

#endif
