// The middle layer, objects: what records say of MPI's objects, and how MPI is asked about them. It calls the writer
// and the real MPI library, and neither includes nor calls anything of the layer above it, process: what it has to know
// of the process is passed to it.
//
// Runs: unless a file says otherwise, in a recorded call of the program's, on the thread that makes it, whose gate is
// not open then. What is called from here passes the wrappers unrecorded and does not come back here: so MPI, the
// allocator and whatever else the program may have replaced can be called.
//
// Never: asks MPI what is not local, or about an object that may be dead, for which MPI calls the program's error
// handler or crashes; sends anything, unless a plan forces it (forced.h); runs in a signal handler or in a child after
// fork, where a lock may be held by nobody who lets go of it; ends the program where there is no memory: then nothing
// more is recorded of it (uk_give_up), and the call continues.
#ifndef UK_OBJECTS_H
#define UK_OBJECTS_H

#include "writer/writer.h"

// Everything in the probe is hidden but what is to be interposed: the functions that mpi.h declares, and what carries
// UK_API (process/process.h).
#pragma GCC visibility push(default)
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h> // Open MPI's extensions
#endif
#pragma GCC visibility pop

// A function or object of the MPI library, looked up once at each place.
#define UK_FOUND(find, name)                                 \
    __extension__({                                          \
        static void *found;                                  \
        void *f = __atomic_load_n(&found, __ATOMIC_RELAXED); \
        if (!f) {                                            \
            f = find(name);                                  \
            __atomic_store_n(&found, f, __ATOMIC_RELAXED);   \
        }                                                    \
        f;                                                   \
    })

#ifdef OPEN_MPI
// Open MPI's predefined handles are addresses of objects of a library that the probe is not linked with.
#undef OMPI_PREDEFINED_GLOBAL
#define OMPI_PREDEFINED_GLOBAL(type, global) ((type)UK_FOUND(uk_sym, #global))
#endif

// A handle as a word: a pointer in some MPI libraries, an int in others (then not sign-extended).
#define UK_H(h) (sizeof(h) == 4 ? (uint64_t)(uint32_t)(uintptr_t)(h) : (uint64_t)(uintptr_t)(h))

// The form of an array of handles in a uk_chunk.
#define UK_HANDLES (sizeof(MPI_Request) == 4 ? UK_UINTS : UK_WORDS)

// Says whether there is a status, or a row of them, at an address: it may be null, or MPI_STATUS(ES)_IGNORE, which lies
// low too.
#define UK_THERE(statuses) ((uintptr_t)(statuses) > (uintptr_t)MPI_STATUS_IGNORE)

// Written by the build: the library that the probe was built for.
extern const char uk_soname[];
// A handle of the MPI library that this process uses, for dlsym; NULL if none is there yet.
void *uk_library(void);
// Says whether the probe was made for that library, and what its path is. Loaded: its functions may be called.
bool uk_library_fits(bool loaded, const char **path);
// The address of any function or object of the MPI library, e.g. "PMPI_Comm_size" or "ompi_mpi_comm_world"; NULL if it
// has none. The probe is not linked with MPI: no symbol of it may be used directly, nor a constant that expands to one.
void *uk_sym(const char *name);

// Calls the profiling twin of a function.
#define ASK(name, type, ...) (((type *)UK_FOUND(uk_sym, "P" #name))(__VA_ARGS__))

// Handles of MPI_COMM_WORLD and MPI_COMM_SELF.
MPI_Comm uk_world(void), uk_comm_self(void);
// MPI was initialised by sessions alone: MPI_COMM_WORLD and MPI_COMM_SELF cannot be used (worlds.c).
extern bool uk_worldless;
// Then the ranks of the world are those of this group until the next call, or nobody's; the group of the call before
// may be freed.
void uk_world_of_session(const MPI_Group *);
// World ranks of some members of a group; MPI_UNDEFINED for those who have none.
void uk_world_ranks(MPI_Group, int n, const int *from, int *ranks);
// A communicator for questions that have to name one and concern nobody else: MPI_COMM_SELF, or one of the program's.
// False if there is none.
bool uk_comm_at_hand(MPI_Comm *);
// Writes the DataComm record of a communicator.
void uk_data_comm(struct uk_thread *, MPI_Comm);
// Writes those of MPI_COMM_WORLD and MPI_COMM_SELF as they would be, where there are none.
void uk_data_worldless(struct uk_thread *, int rank, int size);
// World ranks of a group's members (-1: not in this MPI_COMM_WORLD), valid until the next call. None if there is no
// memory.
int *uk_group_ranks(struct uk_thread *, MPI_Group, int *n);
// Room for n statuses, valid until the next call: to take the place of MPI_STATUS(ES)_IGNORE, which it is if there is
// no memory.
MPI_Status *uk_scratch_grown(struct uk_thread *, int n);
static inline MPI_Status *uk_scratch(struct uk_thread *t, int n)
{
    if (n == 1 && t->scratch[UK_SCRATCH_STATUSES].size >= sizeof(MPI_Status))
        return t->scratch[UK_SCRATCH_STATUSES].at;
    return uk_scratch_grown(t, n);
}
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
// MPI_Type_get_envelope, which fails, and calls the error handler, for a datatype that was made with large counts
// (MPI-4.0, 5.1.13). Here that is an error code alone.
int uk_envelope(MPI_Datatype, int *integers, int *addresses, int *datatypes, int *combiner);
// MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY, which are objects of the library in some; and whether weights are neither, nor
// null.
const int *uk_weights(const char *name);
bool uk_has_weights(const int *);

// Write the records of the same names. Init is the function that initialised MPI, and site where that was called; 0 if
// there is none.
void uk_data_limits(struct uk_thread *, int required, int provided, uint64_t tag_ub, unsigned init, uint64_t site);
// The tag upper bound of a communicator (MPI-4.0, 9.1.2), or what is given if it has none.
uint64_t uk_tag_bound(MPI_Comm, uint64_t otherwise);
void uk_null(struct uk_thread *, unsigned func, unsigned param);
void uk_error(struct uk_thread *, unsigned func, int code);
// A predefined datatype's words in a DataBasics record; 0 if the library was built without it.
size_t uk_basic(uint64_t w[UK_DATA_BASICS_FIXED], MPI_Datatype);

#endif
