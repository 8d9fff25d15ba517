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
#include <string.h>

#define UK_API __attribute__((visibility("default")))
#define UK_FRAME ((void **)__builtin_frame_address(0))
#define UK_INLINE static inline __attribute__((always_inline))

// What a thread needs at hand.
struct uk_recorder {
    struct uk_state_thread *slot; // its slot, or one of uk_closed, which says that it is in a call
    void **frame;                 // of the wrapper that the thread is in
    void *ra;                     // the return address there, if that is not the call's site
    unsigned index;
    unsigned comm;                    // index of the communicator that was used last
    void *fortran_ra, **fortran_slot; // the call of the Fortran entry point passed last
    uint64_t *more;                   // room for requests that the slot has none for
    MPI_Status *statuses;             // in place of those that the program ignores
    size_t more_room, statuses_room;
};
extern __thread struct uk_recorder uk_recorder __attribute__((tls_model("initial-exec")));
// The slots of a thread that has not called MPI yet, and of one whose calls are not recorded.
enum { UK_SLOT_NEW, UK_SLOT_OFF };
extern struct uk_state_thread uk_closed[2];

// The record of the process, over which the memory that others read is mapped. Without that nobody reads it.
#ifdef __x86_64__
#define UK_PAGE 4096
#else
#define UK_PAGE 65536
#endif
extern struct uk_state_memory uk_memory;
#define uk_state (&uk_memory)
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
    const struct uk_state_thread *s = uk_recorder.slot;
    if ((s->word & UK_STATE_FUNC) == 0 || s == &uk_closed[UK_SLOT_NEW]) {
        uk_recorder.fortran_ra = ra;
        uk_recorder.fortran_slot = slot;
    }
}
void *uk_fortran_caller(struct uk_recorder *, void **frame, void *ra);

// A call begins. The thread's slot, or NULL if the call is nested in another or not recorded.
struct uk_state_thread *uk_enter_slow(void **frame, void *ra);
UK_INLINE struct uk_state_thread *uk_enter(void **frame, void *ra)
{
    struct uk_recorder *t = &uk_recorder;
    struct uk_state_thread *s = t->slot;
    if (UK_UNLIKELY((s->word & UK_STATE_FUNC) != 0))
        return uk_enter_slow(frame, ra);
    t->frame = frame;
    if (UK_UNLIKELY(t->fortran_slot != NULL))
        ra = uk_fortran_caller(t, frame, ra);
    __atomic_thread_fence(__ATOMIC_RELEASE); // after the end of the call before
    s->site = (uint64_t)(uintptr_t)ra;
    return s;
}

// All that is to be known of a call before it is made is written. Until then the thread counts as outside of MPI.
UK_INLINE void uk_entered(struct uk_state_thread *s, unsigned func)
{
    __atomic_store_n(&s->word, s->word + (UK_STATE_FUNC + 1 + func), __ATOMIC_RELEASE);
}

UK_INLINE void uk_leave(struct uk_state_thread *s)
{
    __atomic_store_n(&s->word, s->word & ~(uint64_t)UK_STATE_FUNC, __ATOMIC_RELEASE);
}

// A call has returned an error, or was left otherwise.
void uk_failed(struct uk_state_thread *, int rc);

// On the wrapper's variable: what unwinds past the wrapper ends the call.
#define UK_WATCHED __attribute__((cleanup(uk_unwound)))
UK_INLINE void uk_unwound(struct uk_state_thread **s)
{
    if (*s) {
        uk_failed(*s, UK_STATE_OTHER);
        uk_leave(*s);
    }
}

// The entry of a communicator, window or file; NULL if it is unknown.
struct uk_state_comm *uk_comm_find(uint64_t handle);
UK_INLINE struct uk_state_comm *uk_comm(uint64_t handle)
{
    struct uk_state_comm *c = &uk_state->comms[uk_recorder.comm];
    return UK_LIKELY(c->handle == handle) ? c : uk_comm_find(handle);
}
UK_INLINE uint32_t uk_serial(const struct uk_state_comm *c)
{
    return c ? c->serial : 0;
}

// Two neighbouring fields of 32 bits as one word: a store of both costs what one does.
UK_INLINE uint64_t uk_pair(uint32_t first, uint32_t second)
{
    return first | (uint64_t)second << 32;
}
#define UK_STORE_PAIR(field, second, pair)                                                               \
    do {                                                                                                 \
        const uint64_t both = pair;                                                                      \
        _Static_assert(offsetof(__typeof__(*e), second) == offsetof(__typeof__(*e), field) + 4, "pair"); \
        memcpy(&e->field, &both, sizeof both);                                                           \
    } while (0)

// The call among the last ones.
UK_INLINE void uk_note(struct uk_state_thread *s, unsigned func, int peer, int tag, const struct uk_state_comm *c,
                       int64_t count)
{
    uint64_t *next = &uk_state->header.calls_next;
    uint64_t n;
    if (UK_UNLIKELY(uk_several)) {
        n = __atomic_fetch_add(next, 1, __ATOMIC_RELAXED);
    } else {
        n = *next;
        __atomic_store_n(next, n + 1, __ATOMIC_RELAXED);
    }
    struct uk_state_call *e = &uk_state->calls[n % UK_STATE_CALLS];
    s->order = n;
    e->site = s->site;
    e->count = count;
    UK_STORE_PAIR(comm, peer, uk_pair(uk_serial(c), (uint32_t)peer));
    UK_STORE_PAIR(tag, func, uk_pair((uint32_t)tag, func | s->stamp));
}

// A poll that has found nothing is only counted.
UK_INLINE void uk_missed(struct uk_state_thread *s)
{
    s->misses++;
}

// The counts of messages with a peer; NULL if there is no room.
UK_INLINE unsigned uk_channel_home(uint32_t comm, int peer, int tag)
{
    _Static_assert(UK_STATE_CHANNELS == 1 << 10, "the number of bits below");
    const uint64_t key = uk_pair((uint32_t)tag, (uint32_t)peer) ^ (uint64_t)comm << 20;
    // Multiples of the golden ratio and of the root of 2 are far from each other (Knuth, The Art of Computer Programming 3, 6.4).
    return (unsigned)(key * UINT64_C(0x9e3779b96a09e667) >> 54);
}
struct uk_state_channel *uk_channel_slow(uint32_t comm, int peer, int tag);
UK_INLINE struct uk_state_channel *uk_channel(uint32_t comm, int peer, int tag)
{
    struct uk_state_channel *e = &uk_state->channels[uk_channel_home(comm, peer, tag)];
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
UK_INLINE void uk_collective_counts(struct uk_state_comm *c, unsigned func, int root) // with the tables locked
{
    const uint64_t n = c->collectives;
    c->last[n % UK_STATE_LAST] = uk_pair((uint32_t)root, func);
    __atomic_store_n(&c->collectives, n + 1, __ATOMIC_RELEASE);
}
UK_INLINE void uk_collective(struct uk_state_comm *c, unsigned func, int root)
{
    if (UK_UNLIKELY(!c))
        return;
    uk_lock();
    uk_collective_counts(c, func, root);
    uk_unlock();
}

// A call has created a request.
struct uk_made {
    uint64_t handle, type;
    int64_t count;
    int peer, tag;
    uint32_t comm;
    unsigned func, flags;
};
void uk_request_made_slow(const struct uk_state_thread *, const struct uk_made *);
UK_INLINE unsigned uk_request_home(uint64_t handle)
{
    _Static_assert(UK_STATE_REQUESTS == 1 << 10, "the number of bits below");
    return (unsigned)((handle ^ handle >> 17) * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}
// No entry is needed for a request that the library gives for all that is complete at once.
UK_INLINE bool uk_needs_no_entry(uint64_t handle)
{
    return handle == 0 || handle == uk_no_request || handle == uk_complete[0] || handle == uk_complete[1];
}
// Receives whose message is known from the status alone.
UK_INLINE bool uk_is_wild(unsigned flags, int peer, int tag)
{
    return (flags & UK_STATE_RECEIVES) != 0 && (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG);
}
// With the tables locked: fills a free entry.
UK_INLINE void uk_request_fill(struct uk_state_request *e, const struct uk_state_thread *s, struct uk_made m)
{
    e->site = s->site;
    e->order = s->order;
    e->count = m.count;
    e->type = m.type;
    UK_STORE_PAIR(comm, peer, uk_pair(m.comm, (uint32_t)m.peer));
    UK_STORE_PAIR(tag, func, uk_pair((uint32_t)m.tag, m.func | m.flags << 16)); // and nobody waits for it
    __atomic_store_n(&e->handle, m.handle, __ATOMIC_RELEASE);
    if (uk_is_wild(m.flags, m.peer, m.tag))
        uk_wild++;
}
UK_INLINE void uk_request_made(const struct uk_state_thread *s, struct uk_made m)
{
    if (uk_needs_no_entry(m.handle))
        return;
    struct uk_state_request *e = &uk_state->requests[uk_request_home(m.handle)];
    uk_lock();
    if (UK_LIKELY(e->handle == 0)) {
        uk_request_fill(e, s, m);
    } else {
        const struct uk_made copy = m; // so that m needs no memory elsewhere
        uk_request_made_slow(s, &copy);
    }
    uk_unlock();
}

// With the tables locked: removes the entry of a request that is complete, if that is all there is to do.
UK_INLINE bool uk_request_ends(uint64_t handle)
{
    const unsigned home = uk_request_home(handle);
    struct uk_state_request *e = &uk_state->requests[home];
    if (e->handle != handle || uk_state->requests[(home + 1) % UK_STATE_REQUESTS].handle != 0 ||
        (e->flags & ~(UK_STATE_RECEIVES | UK_STATE_SENDS)) != UK_STATE_ACTIVE)
        return false;
    if (e->flags & UK_STATE_RECEIVES) {
        if (e->peer < 0 || e->tag < 0 || e->comm == 0) // wild, or from nobody
            return false;
        struct uk_state_channel *c = uk_channel(e->comm, e->peer, e->tag);
        if (UK_LIKELY(c != NULL))
            c->received++;
    }
    __atomic_store_n(&e->handle, 0, __ATOMIC_RELEASE);
    return true;
}

// Before a call that completes requests: notes them with the call, by their number and the way to get each. Says
// whether there is one whose status must be seen.
bool uk_requests_before(struct uk_state_thread *, size_t n, const MPI_Request *);
// After it: all of those requests are complete, or those at some indices. Statuses may be ignored if none was to be
// seen; status i belongs to index i of what is complete.
void uk_requests_done(struct uk_state_thread *, int rc, size_t n, const int *indices, const MPI_Status *);
// What most calls complete: one request.
UK_INLINE bool uk_request_before(struct uk_state_thread *s, const MPI_Request *r)
{
    if (UK_UNLIKELY(!r || uk_wild != 0))
        return uk_requests_before(s, 1, r);
    s->waited = 1;
    s->requests[0] = UK_H(*r);
    return false;
}
UK_INLINE void uk_request_done(struct uk_state_thread *s, int rc, const MPI_Status *status)
{
    const uint64_t handle = s->requests[0];
    if (uk_needs_no_entry(handle))
        return;
    if (UK_LIKELY(rc == MPI_SUCCESS)) {
        uk_lock();
        const bool all = uk_request_ends(handle);
        uk_unlock();
        if (UK_LIKELY(all))
            return;
    }
    uk_requests_done(s, rc, 1, NULL, status);
}
// Room for statuses in place of those that a program ignores; NULL if there is none.
MPI_Status *uk_statuses_for(MPI_Status *program, size_t n, bool needed);
// Requests are started, freed, cancelled, found complete but not freed.
void uk_requests_started(struct uk_state_thread *, size_t n, const MPI_Request *);
void uk_request_freed(const MPI_Request *);
void uk_request_mark(const MPI_Request *, unsigned flag);

// Communicators, windows and files that a call has created on one of which the serial and count of collective calls are
// given, and that a call has freed.
void uk_comm_made(const MPI_Comm *, uint32_t parent, uint64_t count, bool by_group);
void uk_win_made(uint64_t handle, uint32_t parent, unsigned kind);
void uk_comm_freed(uint64_t handle);
// MPI_COMM_WORLD and MPI_COMM_SELF.
void uk_comms_begin(void);

// Epochs of a window (MPI-4.0, 12.5.2): before MPI_Win_post and MPI_Win_start, before and after MPI_Win_complete, and
// after MPI_Win_wait.
void uk_win_posts(struct uk_state_comm *win, MPI_Group);
void uk_win_starts(struct uk_state_comm *win, MPI_Group);
void uk_win_completes(struct uk_state_comm *win);
void uk_win_completed(struct uk_state_comm *win);
void uk_win_waited(struct uk_state_comm *win);

// Before a lock of it, and after its release (MPI-4.0, 12.5.3).
UK_INLINE void uk_win_locks(const struct uk_state_comm *win, int peer, bool exclusive)
{
    if (peer < 0 || !win)
        return;
    uk_lock();
    struct uk_state_channel *e = uk_channel(win->serial, peer, UK_STATE_LOCK);
    if (UK_LIKELY(e != NULL))
        e->sent += exclusive ? UK_STATE_LOCK_EXCLUSIVE : UK_STATE_LOCK_SHARED;
    uk_unlock();
}
UK_INLINE void uk_win_unlocked(const struct uk_state_comm *win, int peer)
{
    if (peer < 0 || !win)
        return;
    uk_lock();
    struct uk_state_channel *e = uk_channel(win->serial, peer, UK_STATE_LOCK);
    if (UK_LIKELY(e != NULL))
        e->received = e->sent;
    uk_unlock();
}

#endif
