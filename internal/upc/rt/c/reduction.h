/*
 * What reductions of all types share.
 */
#ifndef UPCR_REDUCTION_H
#define UPCR_REDUCTION_H

#include "blocks.h"
#include "upc_collective.h"

#pragma GCC visibility push(hidden)
/* Ends the job if the operator is none for the type. */
void upcr_check_op(const char *function, int op, int integer, int has_func);
/* Ends the job if source and destination of a prefix reduction do not lie alike. */
void upcr_check_shape(const char *function, upcr_ptr dst, upcr_ptr src, size_t size);
/* What is read or written of all blocks: the blocks of each thread lie one after the other. */
void upcr_record_blocks(const struct upcr_blocks *b, upcr_ptr base, int write);
/* Private memory. */
void *upcr_scratch(size_t bytes);
/* Shared memory with room for one element for each block, at the same place on all threads. Collective. */
upcr_ptr upcr_block_scratch(const struct upcr_blocks *b);
void upcr_scratch_done(upcr_ptr scratch);
#pragma GCC visibility pop

#endif
