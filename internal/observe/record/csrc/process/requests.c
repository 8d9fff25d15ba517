// Open requests by their handles, and how many messages have been exchanged with whom.
//
// Runs: in calls that create, start, complete or free requests; with a peer and tag of which no message was counted so
// far.
//
// Never: calls MPI, but where a communicator is complete whose creation did not block. Allocates only where a call
// completes more requests than a slot has room for, or ignores statuses that must be seen.
#pragma GCC optimize("O2")
#include "process/process.h"
#include <stdlib.h>
#include <string.h>

bool uk_comm_alive(uint32_t serial); // comms.c
int64_t uk_collective_again(uint32_t serial, unsigned func);
void uk_channels_drop(uint32_t serial);

// Between the two of these, entries of a table move.
UK_INLINE void changes(void)
{
    __atomic_store_n(&uk_state->header.changes, uk_state->header.changes + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
}
UK_INLINE void changed(void)
{
    __atomic_store_n(&uk_state->header.changes, uk_state->header.changes + 1, __ATOMIC_RELEASE);
}

// Whether the request at index `at` may stand at `hole`, if its place is `home`: the table is a ring.
UK_INLINE bool reaches(unsigned hole, unsigned at, unsigned home)
{
    return (at - home) % UK_STATE_REQUESTS >= (at - hole) % UK_STATE_REQUESTS;
}

static unsigned channel_home(const struct uk_state_channel *e)
{
    return uk_channel_home(e->comm, e->peer, e->tag);
}

struct uk_state_channel *uk_channel_slow(uint32_t comm, int peer, int tag)
{
    const unsigned home = uk_channel_home(comm, peer, tag);
    for (unsigned i = 0; i < UK_STATE_PROBES; i++) {
        struct uk_state_channel *e = &uk_state->channels[(home + i) % UK_STATE_CHANNELS];
        if (e->comm == comm && e->peer == peer && e->tag == tag)
            return e;
        if (e->comm != 0)
            continue;
        if (!uk_comm_alive(comm))
            return NULL; // nobody asks any more
        e->peer = peer;
        e->tag = tag;
        e->sent = e->received = 0;
        __atomic_store_n(&e->comm, comm, __ATOMIC_RELEASE);
        return e;
    }
    uk_state->header.not_counted++;
    uk_lost(UK_STATE_LOST_CHANNELS);
    return NULL;
}

// Moves an entry to the first free place from its own on, if there is one before it.
static void settle(unsigned at)
{
    struct uk_state_channel *e = &uk_state->channels[at];
    if (e->comm == 0)
        return;
    for (unsigned to = channel_home(e); to != at; to = (to + 1) % UK_STATE_CHANNELS)
        if (uk_state->channels[to].comm == 0) {
            uk_state->channels[to] = *e;
            *e = (struct uk_state_channel){0};
            return;
        }
}

void uk_channels_drop(uint32_t serial)
{
    changes();
    unsigned hole = UK_STATE_CHANNELS;
    bool dropped = false;
    for (unsigned i = 0; i < UK_STATE_CHANNELS; i++) {
        struct uk_state_channel *e = &uk_state->channels[i];
        if (e->comm == serial) {
            *e = (struct uk_state_channel){0};
            dropped = true;
        }
        if (e->comm == 0)
            hole = i;
    }
    for (unsigned i = 1; dropped && i < UK_STATE_CHANNELS; i++)
        settle((hole + i) % UK_STATE_CHANNELS);
    changed();
}

void uk_received_unknown(void)
{
    uk_lost(UK_STATE_LOST_RECEIVES);
}

UK_INLINE struct uk_state_request *find(uint64_t handle)
{
    const unsigned home = uk_request_home(handle);
    for (unsigned i = 0; i < UK_STATE_PROBES; i++) {
        struct uk_state_request *e = &uk_state->requests[(home + i) % UK_STATE_REQUESTS];
        if (e->handle == handle)
            return e;
        if (e->handle == 0)
            return NULL;
    }
    return NULL;
}

UK_INLINE bool wild(const struct uk_state_request *e)
{
    return uk_is_wild(e->flags, e->peer, e->tag);
}

// With the tables locked.
void uk_request_made_slow(const struct uk_state_thread *s, const struct uk_made *m)
{
    struct uk_state_request *e = find(m->handle);
    if (e) {
        // Either the library gives it for all that is complete, or it was completed unseen.
        if ((e->flags | m->flags) & UK_STATE_RECEIVES)
            uk_lost(UK_STATE_LOST_RECEIVES);
        e->flags |= UK_STATE_SHARED;
        return;
    }
    const unsigned home = uk_request_home(m->handle);
    for (unsigned i = 0; i < UK_STATE_PROBES; i++) {
        e = &uk_state->requests[(home + i) % UK_STATE_REQUESTS];
        if (e->handle != 0)
            continue;
        uk_request_fill(e, s, *m);
        return;
    }
    uk_lost(UK_STATE_LOST_REQUESTS | (m->flags & UK_STATE_RECEIVES ? UK_STATE_LOST_RECEIVES : 0));
}

static void drop(struct uk_state_request *e)
{
    unsigned hole = (unsigned)(e - uk_state->requests);
    if (wild(e) && uk_wild > 0)
        uk_wild--;
    if (UK_LIKELY(uk_state->requests[(hole + 1) % UK_STATE_REQUESTS].handle == 0)) {
        __atomic_store_n(&e->handle, 0, __ATOMIC_RELEASE);
        return;
    }
    changes();
    const unsigned first = hole; // which ends the ring if the table is full
    for (unsigned at = (hole + 1) % UK_STATE_REQUESTS; at != first && uk_state->requests[at].handle != 0;
         at = (at + 1) % UK_STATE_REQUESTS)
        if (reaches(hole, at, uk_request_home(uk_state->requests[at].handle))) {
            uk_state->requests[hole] = uk_state->requests[at];
            hole = at;
        }
    uk_state->requests[hole].handle = 0;
    changed();
}

// Room that is kept for the next time; NULL if there is none.
static void *room(void **have, size_t *n, size_t want, size_t size)
{
    if (*n >= want)
        return *have;
    void *p = realloc(*have, 2 * want * size);
    if (p) {
        *have = p;
        *n = 2 * want;
    }
    return p;
}

// The requests of the call that the thread is in; NULL if there was no room for so many.
UK_INLINE uint64_t *handles_of(struct uk_state_thread *s, size_t n)
{
    if (n <= UK_STATE_WAITED)
        return s->requests;
    struct uk_recorder *t = &uk_recorder;
    void *have = t->more;
    uint64_t *p = room(&have, &t->more_room, n, sizeof *p);
    t->more = have;
    return p;
}

bool uk_requests_before(struct uk_state_thread *s, size_t n, const MPI_Request *r)
{
    if (!r || n > INT32_MAX)
        n = 0;
    s->waited = (uint32_t)n;
    uint64_t *to = handles_of(s, n);
    if (!to) {
        uk_lost(UK_STATE_LOST_REQUESTS | UK_STATE_LOST_RECEIVES);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        to[i] = UK_H(r[i]);
    if (UK_UNLIKELY(n > UK_STATE_WAITED))
        memcpy(s->requests, to, sizeof s->requests);
    if (uk_wild == 0 && n <= UK_STATE_WAITED)
        return false;
    bool needed = false;
    uk_lock();
    for (size_t i = 0; i < n; i++) {
        struct uk_state_request *e = uk_needs_no_entry(to[i]) ? NULL : find(to[i]);
        if (!e)
            continue;
        if (wild(e))
            needed = true;
        if (n > UK_STATE_WAITED)
            e->waiting = (uint8_t)(uk_recorder.index + 1);
    }
    uk_unlock();
    return needed;
}

MPI_Status *uk_statuses_for(MPI_Status *program, size_t n, bool needed)
{
    if (!needed || UK_THERE(program))
        return program;
    struct uk_recorder *t = &uk_recorder;
    void *have = t->statuses;
    MPI_Status *p = room(&have, &t->statuses_room, n, sizeof *p);
    t->statuses = have;
    return p ? p : program;
}

// A request is complete; s is its status, NULL if it was not to be seen.
static void complete(struct uk_state_request *e, const MPI_Status *s)
{
    if (e->flags & UK_STATE_SHARED)
        return;
    if ((e->flags & UK_STATE_RECEIVES) && (e->flags & UK_STATE_ACTIVE)) {
        const bool any = wild(e);
        const int peer = any && s ? s->MPI_SOURCE : e->peer, tag = any && s ? s->MPI_TAG : e->tag;
        if ((any && !s) || e->flags & UK_STATE_CANCELLED) {
            uk_lost(UK_STATE_LOST_RECEIVES);
        } else if (peer >= 0 && e->comm != 0) {
            struct uk_state_channel *c = uk_channel(e->comm, peer, tag);
            if (c)
                c->received++;
        }
    }
    if (e->flags & UK_STATE_PERSISTENT) {
        e->flags &= (uint8_t) ~(UK_STATE_ACTIVE | UK_STATE_COMPLETE | UK_STATE_CANCELLED);
        e->waiting = 0;
    } else {
        drop(e);
    }
}

// Those that the call has named and that stay open are waited for no more.
static void stops_waiting(const uint64_t *of, size_t n)
{
    uk_lock();
    for (size_t i = 0; i < n; i++) {
        struct uk_state_request *e = uk_needs_no_entry(of[i]) ? NULL : find(of[i]);
        if (e && e->waiting == uk_recorder.index + 1)
            e->waiting = 0;
    }
    uk_unlock();
}

void uk_requests_done(struct uk_state_thread *slot, int rc, size_t n, const int *indices, const MPI_Status *statuses)
{
    const struct uk_recorder *t = &uk_recorder;
    const size_t all = slot->waited;
    const uint64_t *of = all <= UK_STATE_WAITED ? slot->requests : t->more_room >= all ? t->more : NULL;
    if (!UK_THERE(statuses))
        statuses = NULL;
    if (rc != MPI_SUCCESS && (rc != MPI_ERR_IN_STATUS || !statuses)) {
        if (n > 0)
            uk_lost(UK_STATE_LOST_REQUESTS | UK_STATE_LOST_RECEIVES);
        n = 0;
    }
    for (size_t i = 0; of && i < n; i++) {
        const size_t at = indices ? (size_t)indices[i] : i;
        const MPI_Status *s = statuses ? &statuses[i] : NULL;
        if (at >= all || uk_needs_no_entry(of[at]))
            continue;
        if (rc == MPI_ERR_IN_STATUS && s->MPI_ERROR != MPI_SUCCESS) {
            uk_lost(UK_STATE_LOST_RECEIVES);
            if (s->MPI_ERROR == MPI_ERR_PENDING)
                continue;
        }
        const MPI_Comm *made = NULL;
        uint32_t parent = 0;
        uint64_t count = 0;
        uk_lock();
        struct uk_state_request *e = rc == MPI_SUCCESS && uk_request_ends(of[at]) ? NULL : find(of[at]);
        if (UK_UNLIKELY(e != NULL)) {
            if ((e->flags & UK_STATE_COLLECTIVE) && !(e->flags & UK_STATE_PERSISTENT) && e->type != 0) {
                made = (const MPI_Comm *)(uintptr_t)e->type;
                parent = e->comm;
                count = (uint64_t)e->count;
            }
            complete(e, s);
        }
        uk_unlock();
        if (UK_UNLIKELY(made != NULL))
            uk_comm_made(made, parent, count, false);
    }
    if (UK_UNLIKELY(of && all > UK_STATE_WAITED))
        stops_waiting(of, all);
}

void uk_requests_started(struct uk_state_thread *s, size_t n, const MPI_Request *r)
{
    uk_lock();
    for (size_t i = 0; r && i < n; i++) {
        struct uk_state_request *e = uk_needs_no_entry(UK_H(r[i])) ? NULL : find(UK_H(r[i]));
        if (!e)
            continue;
        e->order = s->order;
        e->flags = (uint8_t)((e->flags | UK_STATE_ACTIVE) & ~UK_STATE_COMPLETE);
        if ((e->flags & UK_STATE_SENDS) && e->peer >= 0 && e->comm != 0) {
            struct uk_state_channel *c = uk_channel(e->comm, e->peer, e->tag);
            if (c)
                c->sent++;
        }
        if (e->flags & UK_STATE_COLLECTIVE)
            e->count = uk_collective_again(e->comm, e->func);
    }
    uk_unlock();
}

void uk_request_freed(const MPI_Request *r)
{
    if (!r || uk_needs_no_entry(UK_H(*r)))
        return;
    uk_lock();
    struct uk_state_request *e = find(UK_H(*r));
    if (e && !(e->flags & UK_STATE_SHARED)) {
        if ((e->flags & UK_STATE_ACTIVE) && (e->flags & UK_STATE_RECEIVES))
            uk_lost(UK_STATE_LOST_RECEIVES);
        drop(e);
    }
    uk_unlock();
}

void uk_request_mark(const MPI_Request *r, unsigned flag)
{
    if (!r || uk_needs_no_entry(UK_H(*r)))
        return;
    uk_lock();
    struct uk_state_request *e = find(UK_H(*r));
    if (e)
        e->flags |= (uint8_t)flag;
    uk_unlock();
}
