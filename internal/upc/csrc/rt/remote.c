/*
 * Data of threads on other nodes, by passive-target RMA. A put is complete at its target when it returns, so a thread always sees
 * its own writes and two of them to one place keep their order. Must not be used on words that words.c changes at the time.
 */
#include <string.h>

#include "rt.h"

/* MPI counts in int; larger transfers go in pieces. */
enum { PIECE = 1 << 30 };

static MPI_Aint place(upcr_ptr p, unsigned long done)
{
	return (MPI_Aint)(upcr_offset(p) + done - UPCR_CONTROL_OFFSET);
}

static int piece(unsigned long left)
{
	return left < PIECE ? (int)left : PIECE;
}

void upcr_get(void *to, upcr_ptr from, unsigned long bytes)
{
	if (upcr_here(from)) {
		memmove(to, upcr_at(from), bytes);
		return;
	}
	int thread = (int)upcr_threadof(from);
	upcr_in_mpi++;
	for (unsigned long done = 0; done < bytes; done += PIECE) {
		int n = piece(bytes - done);
		MPI_Get((char *)to + done, n, MPI_BYTE, thread, place(from, done), n, MPI_BYTE, upcr_window);
	}
	MPI_Win_flush(thread, upcr_window);
	upcr_in_mpi--;
}

void upcr_put(upcr_ptr to, const void *from, unsigned long bytes)
{
	if (upcr_here(to)) {
		memmove(upcr_at(to), from, bytes);
		return;
	}
	int thread = (int)upcr_threadof(to);
	upcr_in_mpi++;
	for (unsigned long done = 0; done < bytes; done += PIECE) {
		int n = piece(bytes - done);
		MPI_Put((const char *)from + done, n, MPI_BYTE, thread, place(to, done), n, MPI_BYTE, upcr_window);
	}
	MPI_Win_flush(thread, upcr_window);
	upcr_in_mpi--;
}

void upcr_copy(upcr_ptr to, upcr_ptr from, unsigned long bytes)
{
	if (upcr_here(from)) {
		upcr_put(to, upcr_at(from), bytes);
		return;
	}
	if (upcr_here(to)) {
		upcr_get(upcr_at(to), from, bytes);
		return;
	}
	char through[16384];
	for (unsigned long done = 0; done < bytes; done += sizeof through) {
		unsigned long n = bytes - done < sizeof through ? bytes - done : sizeof through;
		upcr_get(through, from + done, n);
		upcr_put(to + done, through, n);
	}
}

void upcr_flush(void)
{
	upcr_in_mpi++;
	MPI_Win_sync(upcr_window);
	upcr_in_mpi--;
}
