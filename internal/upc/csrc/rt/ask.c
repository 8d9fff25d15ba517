/*
 * Small things that the owner of a word does for threads of other nodes, which ask for it by a message: atomic operations. The
 * owner does them with the processor's operations, so threads of its node need not ask, and all agree. (MPI has such
 * operations, but MPI_Compare_and_swap crashes in the Open MPI of many distributions, and MPI's must not meet the processor's on one
 * word.) Whoever waits for anything answers meanwhile; so does a thread that reaches any other memory of another node.
 */
#include "ask.h"

enum { QUESTION = 1, ANSWER };

static int answering;

static void answer_one(int from)
{
	struct upcr_ask ask;
	uint64_t before;
	MPI_Recv(&ask, sizeof ask, MPI_BYTE, from, QUESTION, upcr_comm, MPI_STATUS_IGNORE);
	before = upcr_do(upcr_mine + ask.offset, &ask);
	MPI_Send(&before, sizeof before, MPI_BYTE, from, ANSWER, upcr_comm);
}

void upcr_progress(void)
{
	int some = 1;
	MPI_Status status;
	if (answering)
		return;
	answering = 1;
	upcr_in_mpi++;
	while (some) {
		MPI_Iprobe(MPI_ANY_SOURCE, QUESTION, upcr_comm, &some, &status);
		if (some)
			answer_one(status.MPI_SOURCE);
	}
	upcr_in_mpi--;
	answering = 0;
}

void upcr_complete(MPI_Request *request)
{
	int done = 0;
	for (unsigned step = 0;;) {
		upcr_in_mpi++;
		MPI_Test(request, &done, MPI_STATUS_IGNORE);
		upcr_in_mpi--;
		if (done)
			return;
		upcr_pause(&step);
	}
}

uint64_t upcr_question(int thread, const struct upcr_ask *ask)
{
	uint64_t before;
	MPI_Request request;
	upcr_in_mpi++;
	MPI_Irecv(&before, sizeof before, MPI_BYTE, thread, ANSWER, upcr_comm, &request);
	MPI_Send(ask, sizeof *ask, MPI_BYTE, thread, QUESTION, upcr_comm);
	upcr_in_mpi--;
	upcr_complete(&request);
	return before;
}
