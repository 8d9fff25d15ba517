// Persistent requests under a plan. The source of a persistent receive, and the mode of a persistent send, are fixed
// when the request is made (MPI-4.0, 3.9), but the plan decides at each start. So a request is made anew when it is
// started otherwise than it was made; MPI_Start may change the handle, which is INOUT there.
//
// Runs: in recorded calls that make, start or free persistent requests, under a plan.
//
// Never: calls MPI or the allocator with the lock held. Without memory, a request is started as the program has made
// it.
#include "objects/forced.h"
#include "writer/lock.h"
#include <stdlib.h>

// A request that can be made anew.
struct kept {
    struct kept *next;
    MPI_Request request;
    bool send, large;
    const void *buf;
    MPI_Count count;
    MPI_Datatype type; // a duplicate: the program may free its own once the request is made
    int peer, tag;     // as the program gave them
    MPI_Comm comm;
    int now_source, now_tag; // as the request is now made
    bool now_synchronous;
};

enum { BUCKETS = 256 };
static struct kept *all[BUCKETS];
static uk_lock_t lock;

// The place of a request in the table, or where it would stand. The lock is held.
static struct kept **find(MPI_Request request)
{
    struct kept **p = &all[(UK_H(request) * UINT64_C(0x9e3779b97f4a7c15)) >> 56];
    while (*p && (*p)->request != request)
        p = &(*p)->next;
    return p;
}

static struct kept *take(MPI_Request request)
{
    uk_lock(&lock);
    struct kept **p = find(request), *k = *p;
    if (k)
        *p = k->next;
    uk_unlock(&lock);
    return k;
}

static void keep(struct kept *k)
{
    uk_lock(&lock);
    struct kept **p = find(k->request);
    k->next = NULL;
    *p = k;
    uk_unlock(&lock);
}

void uk_forced_persistent(MPI_Request request, bool send, const void *buf, MPI_Count count, MPI_Datatype type, int peer,
                          int tag, MPI_Comm comm, bool large)
{
    typedef int dup(MPI_Datatype, MPI_Datatype *);
    struct kept *k = malloc(sizeof *k);
    if (!k) {
        uk_give_up(&uk_self); // its starts will be as the program makes them, and not as the plan wants
        return;
    }
    *k = (struct kept){NULL, request, send, large, buf, count, type, peer, tag, comm, peer, tag, false};
    if (((dup *)uk_sym("PMPI_Type_dup"))(type, &k->type) != MPI_SUCCESS) {
        free(k);
        return;
    }
    free(take(request)); // of a request whose end was not seen
    keep(k);
}

void uk_forced_free(const MPI_Request *request)
{
    typedef int free_type(MPI_Datatype *);
    struct kept *k = request ? take(*request) : NULL;
    if (!k)
        return;
    ((free_type *)uk_sym("PMPI_Type_free"))(&k->type);
    free(k);
}

// Makes the request of k again, with another source and tag or in another mode.
static int make(const struct kept *k, int peer, int tag, bool synchronous, MPI_Request *made)
{
    typedef int init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    typedef int init_large(const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    static const char *const names[3][2] = {{"PMPI_Recv_init", "PMPI_Recv_init_c"},
                                            {"PMPI_Send_init", "PMPI_Send_init_c"},
                                            {"PMPI_Ssend_init", "PMPI_Ssend_init_c"}};
    void *f = uk_sym(names[!k->send ? 0 : synchronous ? 2 : 1][k->large]);
    if (k->large)
        return ((init_large *)f)(k->buf, k->count, k->type, peer, tag, k->comm, made);
    return ((init *)f)(k->buf, (int)k->count, k->type, peer, tag, k->comm, made);
}

// Starts the next use of request k, at a position among those that are started together. Returns whether it is another
// one now.
static bool start(struct uk_thread *t, struct kept *k, MPI_Request *request, int position)
{
    typedef int free_request(MPI_Request *);
    int peer = k->peer, tag = k->tag;
    bool forced = !k->send && uk_forced_receive(k->comm, &peer, &tag);
    if (k->send)
        uk_forced_delay();
    enum uk_send mode = k->send ? uk_forced_send() : UK_AS_CALLED;
    bool synchronous = mode == UK_SYNCHRONOUS, changed = false;
    // One that is buffered is over at once: what the program waits for is a send to nobody.
    if (mode == UK_BUFFERED &&
        uk_forced_try_copy(k->buf, k->count, k->type, peer, tag, k->comm, k->large) == MPI_SUCCESS) {
        peer = MPI_PROC_NULL;
        uk_forced_tell_buffered(t, position);
    }
    if (peer != k->now_source || tag != k->now_tag || synchronous != k->now_synchronous) {
        MPI_Request made;
        if (make(k, peer, tag, synchronous, &made) != MPI_SUCCESS)
            return false; // it is started as it is
        uint64_t *w = uk_begin(t, UK_DATA_REMADE, UK_DATA, 0, UK_DATA_REMADE_FIXED);
        w[UK_DATA_REMADE_FROM] = UK_H(*request);
        w[UK_DATA_REMADE_TO] = UK_H(made);
        uk_commit(t);
        ((free_request *)uk_sym("PMPI_Request_free"))(request);
        k->request = *request = made;
        k->now_source = peer;
        k->now_tag = tag;
        k->now_synchronous = synchronous;
        changed = true;
    }
    if (forced)
        uk_forced_tell(t, position, peer, tag);
    return changed;
}

bool uk_forced_start(struct uk_thread *t, MPI_Request *requests, size_t n)
{
    bool changed = false;
    for (size_t i = 0; requests && i < n; i++) {
        struct kept *k = take(requests[i]);
        if (!k)
            continue;
        changed |= start(t, k, &requests[i], (int)i);
        keep(k);
    }
    return changed;
}
