/*
 * Words that several threads change at a time: with the processor's atomic operations if all threads share the node, else all of
 * them with MPI's, since the two must not meet on one word (MPI-3.1, 11.7.1).
 */
#include "rt.h"

static _Atomic uint64_t *near_word(upcr_ptr p)
{
	return (_Atomic uint64_t *)upcr_at(p);
}

static uint64_t far_word(upcr_ptr p, uint64_t v, MPI_Op op)
{
	uint64_t before = 0;
	int thread = (int)upcr_threadof(p);
	upcr_in_mpi++;
	MPI_Fetch_and_op(&v, &before, MPI_UINT64_T, thread, (MPI_Aint)(upcr_offset(p) - UPCR_CONTROL_OFFSET), op, upcr_window);
	MPI_Win_flush(thread, upcr_window);
	upcr_in_mpi--;
	return before;
}

uint64_t upcr_word_load(upcr_ptr p)
{
	return upcr_one_node ? atomic_load(near_word(p)) : far_word(p, 0, MPI_NO_OP);
}

void upcr_word_store(upcr_ptr p, uint64_t v)
{
	if (upcr_one_node)
		atomic_store(near_word(p), v);
	else
		far_word(p, v, MPI_REPLACE);
}

uint64_t upcr_word_swap(upcr_ptr p, uint64_t v)
{
	return upcr_one_node ? atomic_exchange(near_word(p), v) : far_word(p, v, MPI_REPLACE);
}

uint64_t upcr_word_add(upcr_ptr p, uint64_t v)
{
	return upcr_one_node ? atomic_fetch_add(near_word(p), v) : far_word(p, v, MPI_SUM);
}

uint64_t upcr_word_cas(upcr_ptr p, uint64_t old, uint64_t new)
{
	uint64_t before = old;
	if (upcr_one_node) {
		atomic_compare_exchange_strong(near_word(p), &before, new);
		return before;
	}
	int thread = (int)upcr_threadof(p);
	upcr_in_mpi++;
	MPI_Compare_and_swap(&new, &old, &before, MPI_UINT64_T, thread, (MPI_Aint)(upcr_offset(p) - UPCR_CONTROL_OFFSET), upcr_window);
	MPI_Win_flush(thread, upcr_window);
	upcr_in_mpi--;
	return before;
}
