/*
 * What a thread does on memory of its own node, or asks the owner for: atomic operations and, where there is no window,
 * copies.
 */
#ifndef UPCR_ASK_H
#define UPCR_ASK_H

#include "rt.h"

struct upcr_ask {
    int kind;        /* UPCR_ASK_… or a upc_type_t */
    int op;          /* one of the below, or a upc_op_t */
    uint64_t offset; /* in the segment of the one who is asked */
    uint64_t a, b;   /* operands */
};
enum { UPCR_ASK_WORD = 0, UPCR_ASK_GET = -1, UPCR_ASK_PUT = -2 }; /* of the last two, a is the number of bytes */
enum { UPCR_LOAD, UPCR_STORE, UPCR_SWAP, UPCR_ADD, UPCR_CAS };

#pragma GCC visibility push(hidden)
/* Carries out an operation on a word of my node; gives what was there. */
uint64_t upcr_do(void *at, const struct upcr_ask *ask);
/* Has another thread carry it out. */
uint64_t upcr_question(int thread, const struct upcr_ask *ask);
/* Copies by messages, at most UPCR_PIECE bytes. */
void upcr_message_get(void *to, upcr_ptr from, unsigned long bytes);
void upcr_message_put(upcr_ptr to, const void *from, unsigned long bytes);
#pragma GCC visibility pop

#endif
