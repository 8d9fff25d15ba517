// The highest layer, process: how the probe gets into the process, into each call of MPI and out of them again. It
// calls the layers below it, objects and writer, which call nothing of it. The wrappers, which are generated, belong to
// it.
//
// A wrapper of MPI_X looks like this:
//
//     int MPI_X(args)
//     {
//         struct uk_thread *t UK_WATCHED = uk_enter(F, UK_FRAME);   // F indexes uk_names
//         if (!t) return ((type_of_X)uk_real(F))(args);             // nested in another call, or not watched; handles
//         are words here
//         uint64_t site = uk_site(t, __builtin_return_address(0));
//         uint64_t *w = uk_begin(t, ID, UK_ENTER, site, n); w[0] = ...; uk_commit(t);
//         int rc = ((type_of_X)uk_real(F))(args);
//         w = uk_begin(t, ID, UK_EXIT, (uint64_t)rc, n); ...; uk_commit(t);   // or uk_returned(t)
//         uk_leave(t);
//         t = NULL;                                                 // nothing is left for UK_WATCHED to do
//         return rc;
//     }
//
// C MPI_Init, MPI_Init_thread, MPI_Finalize and MPI_Abort are in specials.c and must not be generated; MPI_Pcontrol is
// left alone.
//
// Runs: uk_enter, uk_site, uk_real, uk_outside and uk_leave, in every call of MPI, in processes that are not watched
// too.
//
// Never: in these, locks, allocates or calls anything; what does stands behind a test that hardly ever succeeds. In the
// whole layer: aborts, or ends otherwise, what would have gone on without the probe.
#ifndef UK_PROCESS_H
#define UK_PROCESS_H

#include "objects/objects.h"
#include "objects/memory.h"
#include "process/callers.h"
#include <signal.h>
#include <unistd.h>

// What is to be interposed though mpi.h does not declare it: Fortran entry points, functions of the C library.
#define UK_API __attribute__((visibility("default")))

// Generated: uk_names[func] is the profiling name ("PMPI_Send") of the function with that index, or NULL; their number
// is at most UK_MAX_FUNCS.
#define UK_MAX_FUNCS 4096
extern const char *const uk_names[];
extern const unsigned uk_nnames;
// Generated: writes the DataConst and DataType records.
void uk_emit_consts(struct uk_thread *);
// Generated: the ids of the functions that the run-time itself records.
extern const unsigned uk_id_init, uk_id_init_thread, uk_id_finalize, uk_id_abort;
// Generated: the id of MPI_Type_commit.
extern const unsigned uk_id_type_commit;

// The process as a whole.
enum { UK_IDLE, UK_ON, UK_ASIDE };
// Of MPI, whether calls are recorded or not.
enum uk_life { UK_UNBORN, UK_BEGINNING, UK_ALIVE, UK_ENDING, UK_PAST };
struct uk_process {
    int state;             // UK_IDLE until MPI is initialised; UK_ON while calls are recorded; then UK_ASIDE for good
    unsigned char meeting; // ranks or threads are made to meet (meet.c): UK_MEETS, UK_MEETS_INSIDE
    int python;            // Python's interpreter lives in this process
    bool aborted; // MPI_Abort was called; that of MPICH since 4.2 may return, and nothing that follows it counts
    bool stacks;  // the handler of stack.c is installed
    int level;    // of thread support provided
    int rank;     // in MPI_COMM_WORLD, -1 before it is known
    enum uk_life life;
    unsigned init;          // the function that initialised MPI, 0 before and in a process with sessions alone
    uint64_t init_site;     // where it was called
    uint64_t finalize_site; // where MPI_Finalize was called, 0 before and in Python
    bool sessions;          // MPI_Session_init was called, so calls need no MPI_Init
    pid_t pid;              // whose rings these are: a forked child has none
    struct uk_control *control;
    struct uk_ring_header *first; // ring of the thread that initialised MPI; it keeps the cause of death
    unsigned threads;             // thread indices given out
    struct uk_thread *finaliser;  // that called MPI_Finalize first
    char session[4000];
};
extern struct uk_process uk_process;

// Whether the calls of this process are, or were, recorded in rings of its own.
static inline bool uk_is_ours(void)
{
    return uk_process.first != NULL && uk_process.pid == getpid();
}

#define UK_FRAME ((void **)__builtin_frame_address(0))

// A function that stands between the program and a library, and is no wrapper around a call of MPI: what it calls may be
// where a thread waits, or the program again.
#define UK_BETWEEN __attribute__((section("uk_between"), noinline))

// There is a window: synchronisation with others by means other than MPI is recorded from now on (external.c).
void uk_external_begin(struct uk_thread *);

// For an exploration: how the process interacts with others by means other than MPI (interactions.c).
enum { UK_INTERACTION_PATH = 4096 }; // longest path that is noted whole
void uk_interactions_tell(struct uk_thread *);
// Whether that is noted, and what this thread does now is not the program's, but the MPI library's.
bool uk_interactions_ignored(void);
// Why a thread that is in no recorded call is not the program's.
enum { UK_APART_INIT = 1, UK_APART_LIBRARY = 2, UK_APART_NOTES = 4 };
extern __thread unsigned uk_apart __attribute__((tls_model("initial-exec")));

// Ends a call that did not return as one that failed.
void uk_abandon(struct uk_thread *);

// On the wrapper's variable: what unwinds past the wrapper ends the call.
#define UK_WATCHED __attribute__((cleanup(uk_unwound)))
static inline void uk_unwound(struct uk_thread **t)
{
    if (*t)
        uk_abandon(*t);
}

struct uk_thread *uk_enter_slow(unsigned func, void **frame);
// What is looked up of the interpreter: where it goes, its name, and the name that older ones have for it, or NULL.
struct uk_python_name {
    void *to;
    const char *name, *older;
};
// Looks up functions and variables of the interpreter in the process; false if one of them is not there.
bool uk_python_resolve(const struct uk_python_name *, size_t n);
// Has the interpreter keep strings, with its function for that; false, without an exception, if there is no memory.
bool uk_python_intern(const struct uk_python_name *, size_t n);
uint64_t uk_python_site(struct uk_thread *, void *ra);
// The script's call stack, the innermost first, as lines of text for a call that has no ring: "at", line, function and
// file. Returns how many bytes that are, 0 in a process without Python and where it is not known.
size_t uk_python_lines(char *to, size_t room);
// Whether this thread has the interpreter's lock, so that its Python stack can be asked for at once.
bool uk_python_holds(void);
void *uk_real_slow(unsigned func);
extern void *uk_reals[UK_MAX_FUNCS];

// Writes the records that a thread owes before a call.
void uk_enter_owing(struct uk_thread *, unsigned func);

// Begins a call of the user's: returns the thread's state, or NULL if the call is nested in another MPI call or is not
// watched. uk_leave ends it.
static inline struct uk_thread *uk_enter(unsigned func, void **frame)
{
    struct uk_thread *t = &uk_self;
    if (UK_UNLIKELY(t->gate != UK_OPEN))
        return uk_enter_slow(func, frame);
    t->gate = UK_INSIDE;
    if (UK_UNLIKELY(t->owes | t->knows_more))
        uk_enter_owing(t, func);
    uk_call = (struct uk_call){frame, frame[1], t->stamp, func, false};
    if (UK_UNLIKELY((uintptr_t)frame > t->mark))
        uk_memory_call(t, frame);
    return t;
}

// Whether a call that is not recorded is the one by which Fortran's call of that name, which is, goes through C. It is
// no more than one.
static inline bool uk_through(unsigned func)
{
    if (uk_self.gate != UK_INSIDE || !uk_call.through || uk_call.id != func)
        return false;
    uk_call.through = false;
    return true;
}

static inline void uk_leave(struct uk_thread *t)
{
    t->gate = t->rest;
}

// The address of the real function (the profiling twin) with index func in uk_names.
static inline void *uk_real(unsigned func)
{
    void *f = __atomic_load_n(&uk_reals[func], __ATOMIC_RELAXED);
    return UK_LIKELY(f != NULL) ? f : uk_real_slow(func);
}

// Notes that a process is alone, with the path of its MPI library and what shows that (UK_ALONE_), if a launcher has
// started several.
void uk_alone(struct uk_control *control, const char *library, uint32_t evidence);
// Says whether this process uses another MPI library than the probe was made for. Asked in MPI_Init and later.
bool uk_misfit(void);
// The address of the real Fortran function; not kept, so the caller does.
void *uk_real_fortran(const char *name);

// Remembers the user's call site of a Fortran entry point that will call the C function: ra is the return address and
// slot the place on the stack that holds it, or on AArch64 the end of the frame that will.
static inline void uk_fortran_note(void *ra, void **slot)
{
    if (uk_self.gate == UK_INSIDE)
        return;
    uk_self.fortran_ra = ra;
    uk_self.fortran_slot = slot;
}

// Says whether that entry point is what makes the current call: the return address is still where it was. On AArch64
// frames are linked, and have it in their second word; it is looked for in those of the Fortran layer, which are small.
static inline bool uk_from_fortran(const struct uk_thread *t)
{
    void **slot = t->fortran_slot, **frame = __builtin_frame_address(0);
    if (slot <= frame)
        return false;
#if defined __aarch64__
    if (slot - frame > 1 << 17)
        return false;
    for (void **next = *frame; next > frame && next < slot; frame = next, next = *frame)
        if (next[1] == t->fortran_ra)
            return true;
    return false;
#else
    return *slot == t->fortran_ra;
#endif
}

// For a run in which two ranks are made to meet: maps the file of the session, and reaches a call that returns to ra.
enum { UK_MEETS = 1, UK_MEETS_INSIDE };
void uk_meet_init(const char *session, int rank);
void uk_meet_call(void *ra);
// The same after the Enter record of a call.
void uk_meet_inside(struct uk_thread *);

// The site word of the call that uk_enter has begun. ra is the wrapper's __builtin_return_address(0).
static inline uint64_t uk_site(struct uk_thread *t, void *ra)
{
    if (UK_UNLIKELY(uk_process.python))
        return uk_python_site(t, ra);
    if (t->fortran_slot) {
        if (uk_from_fortran(t))
            ra = t->fortran_ra;
        else
            t->fortran_slot = NULL;
    }
    if (UK_UNLIKELY(uk_process.meeting))
        uk_meet_call(ra);
    return uk_callers_site(t, ra, uk_call.frame);
}

// The same of a call that uk_enter has not begun, where frame is the wrapper's UK_FRAME.
uint64_t uk_site_of(struct uk_thread *, void *ra, void **frame);

// Around the real initialisation, by whoever wraps one: required is the level of thread support that the program asked
// for.
void uk_init_begin(unsigned func, void *ra);
void uk_init_end(int required, int provided);
void uk_init_failed(void);
// Each belongs to one of these.
void uk_threads_before_init(void);
void uk_init_done(int required, int provided);
// For libraries on top of MPI: between unknot_hide(1) and unknot_hide(0) this thread's calls are not the program's.
UK_API void unknot_hide(int hidden);
// Before a call that needs MPI to be initialised is made unrecorded: tells it if MPI is not.
void uk_outside_slow(unsigned func, void *ra);
static inline void uk_outside(unsigned func, void *ra)
{
    if (UK_UNLIKELY(uk_process.life != UK_ALIVE))
        uk_outside_slow(func, ra);
}
// Before an info object is freed that no rank is watched for any more: tells the first one after MPI_Finalize.
void uk_freed_late(unsigned func, void *ra);
// Around the real MPI_Finalize, and before the real MPI_Abort.
void uk_finalize_begin(uint64_t site);
void uk_finalize_end(void);
void uk_abort_note(int code, uint64_t site);

// For sessions.c: makes this process a watched one that MPI was initialised in by a session only.
void uk_watch_sessions(int rank, int size);
#ifdef MPI_SESSION_NULL
// Around the real MPI_Session_init: before it, and after it with the session that it has made, or NULL.
void uk_session_begins(void);
void uk_session_began(const MPI_Session *);
// Around the real MPI_Session_finalize, called at a site.
void uk_session_ends(const MPI_Session *, uint64_t site);
void uk_session_ended(void);
#endif
// At the end of the process: if it was watched for its sessions and has finalised them all, that is like the end of
// MPI_Finalize.
void uk_sessions_over(void);

// Set up once, after the first ring exists. Each belongs to the file of its name.
void uk_threads_init(void);
// Says what a thread knows of the order of threads (order.c).
void uk_order_tell(struct uk_thread *);
void uk_death_init(void);
void uk_stack_init(void);
// Has what is freed be looked at (freed.c).
void uk_freed_init(void);
// An array of Python is given up, whose memory need not be freed with it.
void uk_freed_array(uintptr_t from, size_t size);
// The return addresses of this call stack outside of the probe, the innermost first: at most so many, and none if the
// unwinder cannot be used.
unsigned uk_stack_here(void **frames, unsigned most);
void uk_python_init(void);
// With the interpreter's lock: has exceptions be seen that the program catches (caught.c); notes the one that is being
// handled. Without: tells those before a call.
void uk_caught_init(void);
void uk_caught_look(void);
void uk_caught_tell(struct uk_thread *);
// With the interpreter's lock: has the arrays be known that calls are given (arrays.c).
void uk_arrays_init(void);
void uk_python_end(void);

// Lets the end of this thread, which has a ring, be noticed.
void uk_threads_attached(struct uk_thread *);
// Notes an exit or an abort as the cause of death in the process's first ring, unless one has been noted.
void uk_died(unsigned cause, int code);
// What an MPI library writes to the launcher: it may be that it has given up.
void uk_gives_up(const char *text, size_t length);
// For signals.c: a signal that is being handled.
struct uk_handling {
    struct uk_handling *outer; // which this one has interrupted
    void **frame;
    unsigned number; // of its note, 0 if it has none that it ends
};
// Whether the signal is one of those that an instruction causes.
bool uk_fault(int sig);
// Notes a signal, which comes once more after uk_fault_comes_again; unhandled: its default action is going to be taken.
void uk_fault_begin(struct uk_handling *, int sig, const siginfo_t *, const void *context, bool once_more,
                    bool unhandled);
void uk_fault_comes_again(struct uk_handling *);
// The handler returns, or is left by an exception.
void uk_fault_end(struct uk_handling *);
// A jump leaves handlers, whose frames are not beyond the stack pointer that it restores.
void uk_fault_left(void **to);
// What was noted ends the process.
void uk_fault_ends(void);
// Comes back from where uk_last_place or uk_last_words has run into a fault; false if this thread is not there.
bool uk_fault_in_probe(void);
void uk_signals_init(void);
void uk_last_init(void);
// Leaves the call stack of this thread as the place of the end: from pc on, or from what has called the probe. Not
// always: if that was not done often.
void uk_last_place(const void *pc, bool always);
// Leaves what is said of the end, and of another one than a signal its place.
void uk_last_words(unsigned cause);
// Whether code is the probe's own.
bool uk_of_probe(const void *pc);
// Has the causes of death noted by the probe of OpenSHMEM too, wherever a signal handler may run: the number of a
// signal, or 0 and the exit status.
typedef void uk_death_note(int sig, int code, int sender, void *pc);
UK_API void uk_deaths_also(uk_death_note *);

// Maps the control file of a session; NULL if that is not of this version, or nobody watches any more.
struct uk_control *uk_map_control(const char *session);
// On a host without a session: has the agent join the job there, if one is to be had. True if there is a session then.
bool uk_join(const char *session);
// At the end of MPI_Finalize there: if the agent and its guard were killed, the ranks remove the session.
void uk_join_end(const char *session, const struct uk_control *);
// Makes this thread's ring; false if the process stays unwatched for this thread.
bool uk_attach(struct uk_thread *);

#endif
