// What a generated wrapper needs. A wrapper of MPI_X looks like this:
//
//     int MPI_X(args)
//     {
//         struct uk_thread *t UK_WATCHED = uk_enter(F, UK_FRAME);   // F indexes uk_names
//         if (!t) return ((type_of_X)uk_real(F))(args);             // nested in another call, or not watched; handles are words here
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
#ifndef UK_RT_H
#define UK_RT_H

#include "writer.h"
#include <unistd.h>

// All is hidden but what is to be interposed: the functions that mpi.h declares, and what carries UK_API (Fortran entry
// points, functions of the C library).
#define UK_API __attribute__((visibility("default")))
#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#ifdef OPEN_MPI
// Open MPI's predefined handles are addresses of objects of a library that the probe is not linked with.
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)uk_sym(#global))
#endif

// A handle as a word: a pointer in some MPI libraries, an int in others (then not sign-extended).
#define UK_H(h) (sizeof(h) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(h) : (uint64_t)(uintptr_t)(h))

// The form of an array of handles in a uk_chunk.
#define UK_HANDLES (sizeof(MPI_Request) == 4 ? UK_UINTS : UK_WORDS)

// Generated: uk_names[func] is the profiling name ("PMPI_Send") of the function with that index, or NULL; their number
// is at most UK_MAX_FUNCS.
#define UK_MAX_FUNCS 4096
extern const char *const uk_names[];
extern const unsigned uk_nnames;
// Generated: writes the DataConst and DataType records.
void uk_emit_consts(struct uk_thread *);
// Generated: the ids of the functions that the run-time itself records.
extern const unsigned uk_id_init, uk_id_init_thread, uk_id_finalize, uk_id_abort;
// Written by the build: the library that the probe was built for.
extern const char uk_soname[];

// The process as a whole.
enum { UK_IDLE, UK_ON, UK_ASIDE };
// Of MPI, whether calls are recorded or not.
enum uk_life { UK_UNBORN, UK_BEGINNING, UK_ALIVE, UK_ENDING, UK_PAST };
struct uk_process {
    int state; // UK_IDLE until MPI is initialised; UK_ON while calls are recorded; then UK_ASIDE for good
    int python; // Python's interpreter lives in this process
    bool stacks; // the handler of stack.c is installed
    bool crowded; // the program has started a thread
    int level; // of thread support provided
    int rank; // in MPI_COMM_WORLD, -1 before it is known
    enum uk_life life;
    bool sessions; // MPI_Session_init was called, so calls need no MPI_Init
    pid_t pid; // whose rings these are: a forked child has none
    struct uk_control *control;
    struct uk_ring_header *first; // ring of the thread that initialised MPI; it keeps the cause of death
    unsigned threads; // thread indices given out
    struct uk_thread *finaliser; // that called MPI_Finalize first
    char session[4000];
};
extern struct uk_process uk_process;

// Whether the calls of this process are, or were, recorded in rings of its own.
static inline bool uk_is_ours(void)
{
    return uk_process.first != NULL && uk_process.pid == getpid();
}

// The outermost call of this thread that is, or was, recorded. It may be left by other ways than its return: an error
// handler throws a C++ exception or jumps. It is over if the place on the stack that held its return address does not.
struct uk_call {
    void **frame; // of the wrapper, NULL if there is none
    void *ra;
    uint32_t stamp; // of the last Enter record before it
    unsigned id;
};
extern __thread struct uk_call uk_call __attribute__((tls_model("initial-exec")));
#define UK_FRAME ((void **)__builtin_frame_address(0))

// Ends a call that did not return as one that failed.
void uk_abandon(struct uk_thread *);

// On the wrapper's variable: what unwinds past the wrapper ends the call.
#define UK_WATCHED __attribute__((cleanup(uk_unwound)))
static inline void uk_unwound(struct uk_thread **t)
{
    if (*t)
        uk_abandon(*t);
}

// Tells what has happened to memory since the last call, see memory.h.
void uk_memory_call(struct uk_thread *, void **frame);

struct uk_thread *uk_enter_slow(unsigned func, void **frame);
uint64_t uk_python_site(struct uk_thread *, void *ra);
void *uk_real_slow(unsigned func);
extern void *uk_reals[UK_MAX_FUNCS];

// Begins a call of the user's: returns the thread's state, or NULL if the call is nested in another MPI call or is not
// watched. uk_leave ends it.
static inline struct uk_thread *uk_enter(unsigned func, void **frame)
{
    struct uk_thread *t = &uk_self;
    if (UK_UNLIKELY(t->gate != UK_OPEN))
        return uk_enter_slow(func, frame);
    t->gate = UK_INSIDE;
    uk_call = (struct uk_call){frame, frame[1], t->stamp, func};
    if (UK_UNLIKELY((uintptr_t)frame > t->mark))
        uk_memory_call(t, frame);
    return t;
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

// A handle of the MPI library that this process uses, for dlsym; NULL if none is there yet.
void *uk_library(void);
// Says whether the probe was made for that library, and what its path is. Loaded: its functions may be called.
bool uk_library_fits(bool loaded, const char **path);
// Says whether it was not. Asked before MPI is initialised.
bool uk_misfit(void);
// The address of any function or object of the MPI library, e.g. "PMPI_Comm_size" or "ompi_mpi_comm_world"; NULL if it
// has none. The probe is not linked with MPI: no symbol of it may be used directly, nor a constant that expands to one.
void *uk_sym(const char *name);
// The address of the real Fortran function; not kept, so the caller does.
void *uk_real_fortran(const char *name);

// Calls the profiling twin of a function, resolved once.
#define ASK(name, type, ...) \
    __extension__({ \
        static type *resolved; \
        type *f = __atomic_load_n(&resolved, __ATOMIC_RELAXED); \
        if (!f) { \
            f = (type *)uk_sym("P" #name); \
            __atomic_store_n(&resolved, f, __ATOMIC_RELAXED); \
        } \
        f(__VA_ARGS__); \
    })

// Remembers the user's call site of a Fortran entry point that will call the C function: ra is the return address and
// slot the place on the stack that holds it. It counts as long as the slot still does.
static inline void uk_fortran_site(void *ra, void **slot)
{
    uk_self.fortran_ra = ra;
    uk_self.fortran_slot = slot;
}

// The site word of the current call. ra is the wrapper's __builtin_return_address(0).
static inline uint64_t uk_site(struct uk_thread *t, void *ra)
{
    if (UK_UNLIKELY(uk_process.python))
        return uk_python_site(t, ra);
    if (t->fortran_slot) {
        if ((void *)t->fortran_slot > __builtin_frame_address(0) && *t->fortran_slot == t->fortran_ra)
            return (uint64_t)(uintptr_t)t->fortran_ra;
        t->fortran_slot = NULL;
    }
    return (uint64_t)(uintptr_t)ra;
}

// Writes the DataComm record of a communicator.
void uk_data_comm(struct uk_thread *, MPI_Comm);
// World ranks of a group's members (-1: not in this MPI_COMM_WORLD), valid until the next call.
int *uk_group_ranks(struct uk_thread *, MPI_Group, int *n);
// Room for n statuses, valid until the next call: to take the place of MPI_STATUS(ES)_IGNORE.
MPI_Status *uk_scratch(struct uk_thread *, int n);
// What a status says: source, tag (the low half of the word), size in bytes (-2 cancelled, -1 unknown).
void uk_status(const MPI_Status *, uint64_t w[3]);

// From here on a communicator may be asked about; to there. Both take null pointers.
void uk_comm_born(const MPI_Comm *);
void uk_comm_dies(const MPI_Comm *);
// How many elements an array has that holds one for each member of a communicator, neighbour or dimension; 0 if the
// communicator is not known to be alive, or has no such thing.
enum uk_extent { UK_MEMBERS, UK_LOCAL, UK_IN, UK_OUT, UK_DIMS };
int64_t uk_extent(MPI_Comm, enum uk_extent);
// Says whether the process is the root of a collective; of an intercommunicator, whether root is MPI_ROOT.
bool uk_at_root(MPI_Comm, int root);
// The last of n numbers that do not fall, and their sum; 0 if one is negative.
int64_t uk_last(const int *, size_t n);
int64_t uk_sum(const int *, size_t n);
// The datatypes that MPI_Type_get_contents gives, at most so many.
int64_t uk_contents(MPI_Datatype, int64_t most);
// MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY, which are objects of the library in some; and whether weights are neither, nor null.
const int *uk_weights(const char *name);
bool uk_has_weights(const int *);

// Write the records of the same names.
void uk_data_limits(struct uk_thread *, MPI_Comm world, int required, uint64_t tag_ub);
void uk_null(struct uk_thread *, unsigned func, unsigned param);
void uk_error(struct uk_thread *, unsigned func, int code);
// A predefined datatype's words in a DataBasics record; 0 if the library was built without it.
size_t uk_basic(uint64_t w[4], MPI_Datatype);

// Around the real initialisation, by whoever wraps one: required is the level of thread support that the program asked for.
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

// Set up once, after the first ring exists. Each belongs to the file of its name.
void uk_threads_init(void);
void uk_death_init(void);
void uk_stack_init(void);
void uk_python_init(void);
void uk_python_end(void);

// Handles of MPI_COMM_WORLD and MPI_COMM_SELF.
MPI_Comm uk_world(void), uk_comm_self(void);
// Lets the end of this thread, which has a ring, be noticed.
void uk_threads_attached(struct uk_thread *);
// Notes the cause of death in the process's first ring, unless one has been noted.
void uk_died(unsigned cause, int code, int sender, void *pc);

// Makes this thread's ring; false if the process stays unwatched for this thread.
bool uk_attach(struct uk_thread *);

#endif
