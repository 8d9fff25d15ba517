/*
 * Atomic operations that a thread does on a word of its own node, or asks the owner of the word for.
 */
#ifndef UPCR_ASK_H
#define UPCR_ASK_H

#include "rt.h"

struct upcr_ask {
	int kind;        /* UPCR_ASK_WORD or a upc_type_t */
	int op;          /* one of the below, or a upc_op_t */
	uint64_t offset; /* in the segment of the one who is asked */
	uint64_t a, b;   /* operands */
};
enum { UPCR_ASK_WORD = 0 };
enum { UPCR_LOAD, UPCR_STORE, UPCR_SWAP, UPCR_ADD, UPCR_CAS };

#pragma GCC visibility push(hidden)
/* Carries out an operation on a word of my node; gives what was there. */
uint64_t upcr_do(void *at, const struct upcr_ask *ask);
/* Has another thread carry it out. */
uint64_t upcr_question(int thread, const struct upcr_ask *ask);
#pragma GCC visibility pop

#endif
