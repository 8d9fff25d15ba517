// The recorder: what each call of MPI leaves in the memory of its rank, for whoever looks from outside when the job does
// not continue. Wrappers, which are generated, call what is here: before the real function uk_enter, which writes the
// call into the slot of its thread, then one of those that count and note; after it what is complete; then uk_leave.
//
// Runs: in each call of MPI, on the thread that makes it, in programs that are not recorded too.
//
// Never: in what is inline, allocates, makes a system call, or waits other than for another thread that is between the
// same few instructions, as each call pays for it. Never in all of it: ends the program, sets errno, asks MPI what is
// not local, or calls MPI with the tables locked. Where a table is full, its flag is set and the call continues.
#ifndef UK_PROCESS_H
#define UK_PROCESS_H

#include "objects/objects.h"
#include "process/state.h"

#define UK_API __attribute__((visibility("default")))
#define UK_FRAME ((void **)__builtin_frame_address(0))
#define UK_INLINE static inline __attribute__((always_inline))

// What a thread needs at hand.
struct uk_recorder {
    unsigned gate; // UK_NEW, UK_OPEN, UK_INSIDE or UK_OFF
    unsigned index;
    struct uk_state_thread *slot;
    void **frame; // of the wrapper that the thread is in, and the return address there
    void *ra;
    struct uk_state_call *call;       // of this call in the ring, NULL if it has none
    unsigned comm;                    // index of the communicator that was used last
    void *fortran_ra, **fortran_slot; // the call of the Fortran entry point passed last
    uint64_t *more;                   // room for requests that the slot has none for
    MPI_Status *statuses;             // in place of those that the program ignores
    size_t more_room, statuses_room;
};
extern __thread struct uk_recorder uk_recorder __attribute__((tls_model("initial-exec")));

// The record of the process; where there is none yet, memory that nobody reads.
extern struct uk_state_memory *uk_state;
// More than one thread may be in MPI at a time.
extern bool uk_several;
// Open requests of receives from any source or with any tag, and of those that are to be looked at for another reason.
extern unsigned uk_wild;
// MPI_REQUEST_NULL, and the requests that the library gives for sends and receives which are complete at once: they are
// the same for all of these, and need no entry.
extern uint64_t uk_no_request, uk_complete[2];

// Generated: the profiling names of functions by their numbers, and the real functions, NULL until they are needed.
#define UK_MAX_FUNCS 4096
extern const char *const uk_names[];
extern void *uk_reals[UK_MAX_FUNCS];
void *uk_real_slow(unsigned func);
void *uk_real_fortran(const char *name);

UK_INLINE void *uk_real(unsigned func)
{
    void *f = __atomic_load_n(&uk_reals[func], __ATOMIC_RELAXED);
    return UK_LIKELY(f != NULL) ? f : uk_real_slow(func);
}

// How calls reach a table that threads share.
extern int uk_turn;
void uk_wait_for_turn(void);
UK_INLINE void uk_lock(void)
{
    if (UK_UNLIKELY(uk_several) && __atomic_exchange_n(&uk_turn, 1, __ATOMIC_ACQUIRE))
        uk_wait_for_turn();
}
UK_INLINE void uk_unlock(void)
{
    if (UK_UNLIKELY(uk_several))
        __atomic_store_n(&uk_turn, 0, __ATOMIC_RELEASE);
}

UK_INLINE void uk_lost(unsigned flag)
{
    __atomic_fetch_or(&uk_state->header.lost, flag, __ATOMIC_RELAXED);
}

// The return address of a call that a Fortran entry point makes is that of the entry point's own caller, if that is
// still where it was.
UK_INLINE void uk_fortran_note(void *ra, void **slot)
{
    if (uk_recorder.gate != UK_INSIDE) {
        uk_recorder.fortran_ra = ra;
        uk_recorder.fortran_slot = slot;
    }
}
void *uk_fortran_caller(struct uk_recorder *, void **frame, void *ra);

// A call begins: function and caller. The thread's state, or NULL if the call is nested in another or not recorded.
struct uk_recorder *uk_enter_slow(unsigned func, void **frame, void *ra);
UK_INLINE struct uk_recorder *uk_enter(unsigned func, void **frame, void *ra)
{
    struct uk_recorder *t = &uk_recorder;
    if (UK_UNLIKELY(t->gate != UK_OPEN))
        return uk_enter_slow(func, frame, ra);
    t->gate = UK_INSIDE;
    t->frame = frame;
    t->ra = frame[1];
    if (UK_UNLIKELY(t->fortran_slot != NULL))
        ra = uk_fortran_caller(t, frame, ra);
    struct uk_state_thread *s = t->slot;
    __atomic_store_n(&s->seq, s->seq + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    s->func = func;
    s->site = (uint64_t)(uintptr_t)ra;
    s->waited = 0;
    t->call = NULL;
    return t;
}

// The arguments are written.
UK_INLINE void uk_entered(struct uk_recorder *t)
{
    __atomic_store_n(&t->slot->seq, t->slot->seq + 1, __ATOMIC_RELEASE);
}

UK_INLINE void uk_leave(struct uk_recorder *t, int rc)
{
    if (t->call)
        t->call->result = (uint8_t)(rc >= 0 && rc < UK_STATE_OTHER ? rc : UK_STATE_OTHER);
    __atomic_store_n(&t->slot->func, 0, __ATOMIC_RELEASE);
    t->gate = UK_OPEN;
}

// On the wrapper's variable: what unwinds past the wrapper ends the call.
#define UK_WATCHED __attribute__((cleanup(uk_unwound)))
UK_INLINE void uk_unwound(struct uk_recorder **t)
{
    if (*t)
        uk_leave(*t, UK_STATE_OTHER);
}

// The entry of a communicator, window or file; NULL if it is unknown.
struct uk_state_comm *uk_comm_find(struct uk_recorder *, uint64_t handle);
UK_INLINE struct uk_state_comm *uk_comm(struct uk_recorder *t, uint64_t handle)
{
    struct uk_state_comm *c = &uk_state->comms[t->comm];
    return UK_LIKELY(c->handle == handle) ? c : uk_comm_find(t, handle);
}
UK_INLINE uint32_t uk_serial(const struct uk_state_comm *c)
{
    return c ? c->serial : 0;
}

// The call among the last ones.
UK_INLINE void uk_note(struct uk_recorder *t, int peer, int tag, const struct uk_state_comm *c, int64_t count)
{
    uint64_t *next = &uk_state->header.calls_next;
    uint64_t n;
    if (UK_UNLIKELY(uk_several)) {
        n = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
    } else {
        n = *next;
        __atomic_store_n(next, n + 1, __ATOMIC_RELAXED);
    }
    struct uk_state_thread *s = t->slot;
    struct uk_state_call *e = &uk_state->calls[n % UK_STATE_CALLS];
    s->order = n;
    e->result = UK_STATE_OPEN;
    e->site = s->site;
    e->count = count;
    e->comm = uk_serial(c);
    e->peer = peer;
    e->tag = tag;
    e->func = (uint16_t)s->func;
    e->thread = (uint8_t)t->index;
    t->call = e;
}

// A poll that has found nothing is only counted.
UK_INLINE void uk_missed(struct uk_recorder *t)
{
    t->slot->misses++;
}

// The counts of messages with a peer; NULL if there is no room.
UK_INLINE uint32_t uk_mix(uint32_t comm, int peer, int tag)
{
    uint64_t h = ((uint64_t)(uint32_t)peer << 32 | (uint32_t)tag) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ h >> 29 ^ comm) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(h >> 40);
}
struct uk_state_channel *uk_channel_slow(uint32_t comm, int peer, int tag);
UK_INLINE struct uk_state_channel *uk_channel(uint32_t comm, int peer, int tag)
{
    struct uk_state_channel *e = &uk_state->channels[uk_mix(comm, peer, tag) % UK_STATE_CHANNELS];
    if (UK_LIKELY(e->peer == peer && e->tag == tag && e->comm == comm))
        return e;
    return uk_channel_slow(comm, peer, tag);
}

// A send is started, a receive is complete.
UK_INLINE void uk_sent(const struct uk_state_comm *c, int peer, int tag)
{
    if (peer < 0 || !c) // MPI_PROC_NULL, or wrong
        return;
    uk_lock();
    struct uk_state_channel *e = uk_channel(c->serial, peer, tag);
    if (UK_LIKELY(e != NULL))
        e->sent++;
    uk_unlock();
}
UK_INLINE void uk_received(uint32_t comm, int peer, int tag)
{
    if (peer < 0 || comm == 0)
        return;
    uk_lock();
    struct uk_state_channel *e = uk_channel(comm, peer, tag);
    if (UK_LIKELY(e != NULL))
        e->received++;
    uk_unlock();
}
// Of a receive that is complete it is not known which message it was.
void uk_received_unknown(void);

// The status that a call writes: the program's, or our own in place of one that it ignores.
UK_INLINE MPI_Status *uk_status_for(MPI_Status *program, MPI_Status *own, bool needed)
{
    return !needed || UK_THERE(program) ? program : own;
}
// A receive by a call that has returned rc; s is where that wrote the status.
UK_INLINE void uk_got(int rc, const struct uk_state_comm *c, int peer, int tag, const MPI_Status *s)
{
    if (UK_UNLIKELY(rc != MPI_SUCCESS)) {
        uk_received_unknown();
        return;
    }
    if (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG) {
        peer = s->MPI_SOURCE;
        tag = s->MPI_TAG;
    }
    uk_received(uk_serial(c), peer, tag);
}

// A collective call is entered.
UK_INLINE void uk_collective(struct uk_state_comm *c, unsigned func, int root)
{
    if (UK_UNLIKELY(!c))
        return;
    uk_lock();
    c->last_func = func;
    c->last_root = root;
    __atomic_store_n(&c->collectives, c->collectives + 1, __ATOMIC_RELEASE);
    uk_unlock();
}

// A call has created a request.
struct uk_made {
    uint64_t handle, type;
    int64_t count;
    int peer, tag;
    uint32_t comm;
    unsigned flags;
};
void uk_request_made(struct uk_recorder *, struct uk_made);

// Before a call that completes requests: notes them with the call, by their number and the way to get each. Says
// whether there is one whose status must be seen.
bool uk_requests_before(struct uk_recorder *, size_t n, const MPI_Request *);
// After it: all of those requests are complete, or those at some indices. Statuses may be ignored if none was to be
// seen; status i belongs to index i of what is complete.
void uk_requests_done(struct uk_recorder *, int rc, size_t n, const int *indices, const MPI_Status *);
// What most calls complete: one request, which is often one of those that need no entry.
UK_INLINE bool uk_needs_no_entry(uint64_t handle)
{
    return handle == 0 || handle == uk_no_request || handle == uk_complete[0] || handle == uk_complete[1];
}
UK_INLINE bool uk_request_before(struct uk_recorder *t, const MPI_Request *r)
{
    if (UK_UNLIKELY(!r || uk_wild != 0))
        return uk_requests_before(t, 1, r);
    t->slot->waited = 1;
    t->slot->requests[0] = UK_H(*r);
    return false;
}
UK_INLINE void uk_request_done(struct uk_recorder *t, int rc, const MPI_Status *s)
{
    if (!uk_needs_no_entry(t->slot->requests[0]))
        uk_requests_done(t, rc, 1, NULL, s);
}
// Room for statuses in place of those that a program ignores; NULL if there is none.
MPI_Status *uk_statuses_for(struct uk_recorder *, MPI_Status *program, size_t n, bool needed);
// Requests are started, freed, cancelled, found complete but not freed.
void uk_requests_started(struct uk_recorder *, size_t n, const MPI_Request *);
void uk_request_freed(const MPI_Request *);
void uk_request_mark(const MPI_Request *, unsigned flag);

// Communicators, windows and files that a call has created on one of which the serial and count of collective calls are
// given, and that a call has freed.
void uk_comm_made(const MPI_Comm *, uint32_t parent, uint64_t count, bool by_group);
void uk_win_made(uint64_t handle, uint32_t parent, unsigned kind);
void uk_comm_freed(uint64_t handle);
// MPI_COMM_WORLD and MPI_COMM_SELF.
void uk_comms_begin(void);

#endif
