// What a plan forces on this process: receives from MPI_ANY_SOURCE are made from one source, standard sends are made
// synchronous or buffered, calls of which MPI may choose the result get a fixed one, ranks are made slow. Which of them
// is counted here, for each thread, in the words of internal/vocab/plan/plan.go. The wrappers record what the program
// called all the same.
//
// Without a plan a wrapper pays for one test of uk_thread.forced. Nothing here sends a message that the program does
// not send, and nothing is called but inside a recorded call of the program's.
//
// Runs: uk_forced_init at MPI_Init, uk_forced_begin at a thread's first call, uk_forced_end at its end or that of MPI,
// the others in recorded calls of a process that a plan names.
//
// Never: ends a program because a plan cannot be followed, be it that it does not fit or that there is no memory: the
// call is then made as the program makes it.
#ifndef UK_FORCED_H
#define UK_FORCED_H

#include "objects/plan.h"
#include "objects/objects.h"

// What is still to be forced on a thread, and what it has done so far.
struct uk_forced {
    const struct uk_file_decision *decision, *decisions_end;
    const struct uk_file_send *send, *sends_end;
    const struct uk_file_outcome *outcome, *outcomes_end;
    uint32_t receives, sends, choices;
    uint32_t missed, unmet; // decisions and outcomes that could not be followed
};

// Opens the plan that the environment names, if it names one; says why it is not in force, if it is not. Called once,
// by the thread that initialises MPI.
void uk_forced_init(struct uk_thread *, int rank, int ranks);
// Finds what concerns a thread that is about to make its first call.
void uk_forced_begin(struct uk_thread *);
// Tells what the plan names and the thread has not done, which is about to end.
void uk_forced_end(struct uk_thread *);

// The next receive from MPI_ANY_SOURCE: true if the plan decides it, with the source, and the tag if the plan has one.
// A poll is the next one only if it finds something; then uk_forced_found follows.
bool uk_forced_receive(MPI_Comm, int *source, int *tag);
bool uk_forced_poll(MPI_Comm, int *source, int *tag);
void uk_forced_found(MPI_Comm);
// Tells of a forced receive, right before its Enter record.
void uk_forced_tell(struct uk_thread *, int position, int source, int tag);

// Waits before a message of a rank that is made slow.
void uk_forced_delay(void);
// What becomes of the next send of standard mode.
enum uk_send { UK_AS_CALLED, UK_SYNCHRONOUS, UK_BUFFERED };
enum uk_send uk_forced_send(void);
// Tells of a buffered send, right before its Enter record.
void uk_forced_tell_buffered(struct uk_thread *, int position);
// Sends a copy, which needs nobody to receive it before the call returns. Large says that it is a form with _c. Returns
// MPI's error code, or UK_NO_MEMORY.
enum { UK_NO_MEMORY = -0x7fffffff }; // no code of a library's, of which some are small and negative
int uk_forced_try_copy(const void *buf, MPI_Count count, MPI_Datatype, int dest, int tag, MPI_Comm, bool large);
// The same; where there is no memory for a copy, it is sent as the program does.
int uk_forced_copy(const void *buf, MPI_Count count, MPI_Datatype, int dest, int tag, MPI_Comm, bool large);
// The same, with a request that is complete.
int uk_forced_icopy(const void *buf, MPI_Count count, MPI_Datatype, int dest, int tag, MPI_Comm, bool large,
                    MPI_Request *);
// Before MPI ends: waits until all copies are sent.
void uk_forced_copies_end(void);
// Copies what a buffer holds, as packed data. NULL if MPI refuses, with its error code, or if there is no memory, with
// UK_NO_MEMORY: then nothing more is recorded of this rank, as it does not do what the plan wants.
void *uk_forced_pack(const void *buf, MPI_Count count, MPI_Datatype, MPI_Comm, bool large, MPI_Count *size, int *rc);

// A call of which MPI may choose what it reports. What it does not have is null.
struct uk_choice {
    enum uk_choice_kind {
        UK_WAITANY,
        UK_WAITSOME,
        UK_TEST,
        UK_TESTANY,
        UK_TESTSOME,
        UK_TESTALL,
        UK_IPROBE,
        UK_IMPROBE
    } kind;
    int n;
    MPI_Request *requests;
    int *flag, *index, *outcount, *indices;
    MPI_Status *status; // or the statuses
    int source, tag;
    MPI_Comm comm;
    MPI_Message *message;
};
// What the plan has it report: nothing, or what it has to wait for: all, or n requests at these positions.
struct uk_chosen {
    bool forced, nothing;
    uint32_t n;
    const int32_t *done;
};
// The next such call: says in chosen, which is all zero, whether the plan forces an outcome on it that it can have.
void uk_forced_choice(struct uk_thread *, enum uk_choice_kind, size_t n, const MPI_Request *, struct uk_chosen *chosen);
// Tells that it is made to wait, right before its Enter record.
void uk_forced_tell_choice(struct uk_thread *, const struct uk_chosen *);
// Makes the call.
int uk_forced_choose(const struct uk_choice *, const struct uk_chosen *);
// Counts an outcome that turned out not to be possible.
void uk_forced_unmet(void);

// Calls of MPI_Sendrecv and MPI_Sendrecv_replace whose send is synchronous or buffered.
int uk_forced_sendrecv(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                       void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm,
                       MPI_Status *, bool large, enum uk_send);
int uk_forced_replace(void *buf, MPI_Count count, MPI_Datatype, int dest, int sendtag, int source, int recvtag,
                      MPI_Comm, MPI_Status *, bool large, enum uk_send);

// Remembers a persistent receive from MPI_ANY_SOURCE, or a persistent standard send (send true; peer is then its
// destination), so that it can be made anew when it is started.
void uk_forced_persistent(MPI_Request, bool send, const void *buf, MPI_Count count, MPI_Datatype, int peer, int tag,
                          MPI_Comm, bool large);
// Before n requests are started: makes those anew that the plan wants otherwise. True if a handle has changed.
bool uk_forced_start(struct uk_thread *, MPI_Request *, size_t n);
// Before a request is freed.
void uk_forced_free(const MPI_Request *);

#endif
