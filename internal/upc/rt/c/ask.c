/*
 * What the owner of memory does for threads of other nodes, which ask for it by a message. Atomic operations: the owner
 * does them with the processor's, so threads of its node need not ask, and all agree. (MPI has such operations, but
 * MPI_Compare_and_swap crashes in the Open MPI of many distributions, and MPI's must not meet the processor's on one
 * word.) Copies: where the MPI library has no windows over the network that there is. Whoever waits for anything
 * answers meanwhile.
 *
 * A thread asks one thing at a time, and has its receive posted before it asks; so those who answer never wait for one
 * another.
 */
#include "ask.h"

enum { QUESTION = 1, ANSWER, DATA };

static int answering;

static void answer_one(int from)
{
    struct upcr_ask ask;
    uint64_t before = 0;
    MPI_Recv(&ask, sizeof ask, MPI_BYTE, from, QUESTION, upcr_comm, MPI_STATUS_IGNORE);
    if (ask.kind == UPCR_ASK_GET) {
        MPI_Send(upcr_mine + ask.offset, (int)ask.a, MPI_BYTE, from, ANSWER, upcr_comm);
        return;
    }
    if (ask.kind == UPCR_ASK_PUT)
        MPI_Recv(upcr_mine + ask.offset, (int)ask.a, MPI_BYTE, from, DATA, upcr_comm, MPI_STATUS_IGNORE);
    else
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

static int is_complete(MPI_Request *request)
{
    int done = 0;
    upcr_in_mpi++;
    MPI_Test(request, &done, MPI_STATUS_IGNORE);
    upcr_in_mpi--;
    return done;
}

void upcr_complete(MPI_Request *request)
{
    for (unsigned step = 0; !is_complete(request);)
        upcr_pause(&step);
}

void upcr_complete_by_all(MPI_Request *request, uint64_t kind)
{
    static uint64_t times;
    const struct upcr_wait what = {kind, -1, times++};
    for (unsigned step = 0; !is_complete(request);)
        upcr_pause_for(&step, &what);
    upcr_waits_no_more();
}

/* Asks for something whose answer is so long. */
static void ask_for(int thread, const struct upcr_ask *ask, void *answer, int bytes)
{
    MPI_Request request;
    upcr_in_mpi++;
    MPI_Irecv(answer, bytes, MPI_BYTE, thread, ANSWER, upcr_comm, &request);
    MPI_Send(ask, sizeof *ask, MPI_BYTE, thread, QUESTION, upcr_comm);
    upcr_in_mpi--;
    upcr_complete(&request);
}

uint64_t upcr_question(int thread, const struct upcr_ask *ask)
{
    uint64_t before;
    ask_for(thread, ask, &before, sizeof before);
    return before;
}

void upcr_message_get(void *to, upcr_ptr from, unsigned long bytes)
{
    struct upcr_ask ask = {.kind = UPCR_ASK_GET, .offset = upcr_offset(from), .a = bytes};
    ask_for((int)upcr_threadof(from), &ask, to, (int)bytes);
}

void upcr_message_put(upcr_ptr to, const void *from, unsigned long bytes)
{
    struct upcr_ask ask = {.kind = UPCR_ASK_PUT, .offset = upcr_offset(to), .a = bytes};
    MPI_Request data;
    upcr_in_mpi++;
    MPI_Isend(from, (int)bytes, MPI_BYTE, (int)upcr_threadof(to), DATA, upcr_comm, &data);
    upcr_in_mpi--;
    upcr_question((int)upcr_threadof(to), &ask);
    upcr_complete(&data);
}
