// Communicators, and the windows and files that are created on them: who they are, on all members by the same number,
// and how many collective calls each has had.
//
// Runs: where one is created or freed, and where a call names another one than the call before.
//
// Never: calls MPI with the tables locked. What it asks of MPI is local.
#include "process/process.h"
#include <stdlib.h>
#include <string.h>

enum { PLACES = 512 };
static uint8_t places[PLACES]; // 1 + index in the table, by handle

static unsigned place_of(uint64_t handle)
{
    return (unsigned)(handle * UINT64_C(0x9e3779b97f4a7c15) >> 55);
}

// With the tables locked. The index of an entry, or -1.
static int find(uint64_t handle)
{
    for (unsigned at = place_of(handle); places[at] != 0; at = (at + 1) % PLACES)
        if (uk_state->comms[places[at] - 1].handle == handle)
            return places[at] - 1;
    return -1;
}

static void place(unsigned index)
{
    unsigned at = place_of(uk_state->comms[index].handle);
    while (places[at] != 0)
        at = (at + 1) % PLACES;
    places[at] = (uint8_t)(index + 1);
}

struct uk_state_comm *uk_comm_find(uint64_t handle)
{
    uk_lock();
    const int i = find(handle);
    uk_unlock();
    if (i < 0) {
        bool gone = false;
        for (unsigned k = 0; k < UK_STATE_FREED; k++)
            gone = gone || uk_state->header.freed[k] == handle;
        if (!gone)
            uk_lost(UK_STATE_LOST_COMMS);
        return NULL;
    }
    uk_recorder.comm = (unsigned)i;
    return &uk_state->comms[i];
}

// World ranks of the members of a group: the caller frees them. NULL if it has none, or they are not known.
static int *world_ranks(MPI_Group group, int n)
{
    typedef int group_of(MPI_Comm, MPI_Group *);
    typedef int translate(MPI_Group, int, const int[], MPI_Group, int[]);
    static MPI_Group world;
    static bool known;
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        MPI_Group g;
        if (ASK(MPI_Comm_group, group_of, MPI_COMM_WORLD, &g) != MPI_SUCCESS)
            return NULL;
        world = g;
        __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    if (n <= 0)
        return NULL;
    int *ranks = malloc(2 * (size_t)n * sizeof *ranks), *own = ranks + n;
    for (int i = 0; ranks && i < n; i++)
        own[i] = i;
    if (ranks && ASK(MPI_Group_translate_ranks, translate, group, n, own, world, ranks) != MPI_SUCCESS) {
        free(ranks);
        return NULL;
    }
    for (int i = 0; ranks && i < n; i++)
        if (ranks[i] == MPI_UNDEFINED)
            ranks[i] = -1;
    return ranks;
}

// A group while a communicator is looked at.
struct side {
    int n, *ranks;
};

static struct side look_at(MPI_Group group)
{
    typedef int size_of(MPI_Group, int *);
    struct side s = {.n = 0};
    ASK(MPI_Group_size, size_of, group, &s.n);
    s.ranks = world_ranks(group, s.n);
    return s;
}

static struct side look(MPI_Comm comm, bool remote)
{
    typedef int group_of(MPI_Comm, MPI_Group *);
    typedef int free_group(MPI_Group *);
    MPI_Group group;
    const int rc =
        remote ? ASK(MPI_Comm_remote_group, group_of, comm, &group) : ASK(MPI_Comm_group, group_of, comm, &group);
    if (rc != MPI_SUCCESS)
        return (struct side){.n = 0};
    const struct side s = look_at(group);
    ASK(MPI_Group_free, free_group, &group);
    return s;
}

// With the tables locked. A range of the table of members that is free, or -1.
static int room_for(int n)
{
    int start = 0;
    for (bool moved = true; moved && start + n <= UK_STATE_MEMBERS;) {
        moved = false;
        for (int i = 0; i < 3 * UK_STATE_COMMS; i++) {
            const struct uk_state_comm *c = &uk_state->comms[i / 3];
            const struct uk_state_group *g = i % 3 == 0 ? &c->local : i % 3 == 1 ? &c->remote : &c->access;
            if (c->handle != 0 && g->place >= 0 && g->size > 0 && g->place < start + n && start < g->place + g->size) {
                start = g->place + g->size;
                moved = true;
            }
        }
    }
    return start + n <= UK_STATE_MEMBERS ? start : -1;
}

// With the tables locked.
static struct uk_state_group keep(const struct side *s)
{
    struct uk_state_group g = {.size = s->n, .place = UK_STATE_UNKNOWN};
    if (!s->ranks)
        return g;
    const int stride = s->n > 1 ? s->ranks[1] - s->ranks[0] : 1;
    bool affine = s->ranks[0] >= 0;
    for (int i = 1; affine && i < s->n; i++)
        affine = s->ranks[i] >= 0 && s->ranks[i] - s->ranks[i - 1] == stride;
    if (affine)
        return (struct uk_state_group){.first = s->ranks[0], .stride = stride, .size = s->n, .place = UK_STATE_AFFINE};
    g.place = room_for(s->n);
    if (g.place >= 0)
        memcpy(&uk_state->members[g.place], s->ranks, (size_t)s->n * sizeof *s->ranks);
    else
        g.place = UK_STATE_UNKNOWN;
    return g;
}

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h + UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9) + word; // as splitmix64 does
    h = (h ^ h >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    h = (h ^ h >> 27) * UINT64_C(0x94d049bb133111eb);
    return h ^ h >> 31;
}

// With the tables locked.
static const struct uk_state_comm *by_serial(uint32_t serial)
{
    for (unsigned i = 0; serial != 0 && i < UK_STATE_COMMS; i++)
        if (uk_state->comms[i].handle != 0 && uk_state->comms[i].serial == serial)
            return &uk_state->comms[i];
    return NULL;
}

// With the tables locked. A new entry, NULL if there is no room or the handle has one.
static struct uk_state_comm *add(const struct uk_state_comm *new)
{
    static uint32_t serial;
    if (find(new->handle) >= 0)
        return NULL;
    for (unsigned i = 0; i < UK_STATE_COMMS; i++) {
        struct uk_state_comm *c = &uk_state->comms[i];
        if (c->handle != 0)
            continue;
        const uint64_t handle = new->handle;
        *c = *new;
        c->handle = 0;
        c->serial = ++serial;
        uk_state->header.serial = serial;
        uk_state->header.comms++;
        __atomic_store_n(&c->handle, handle, __ATOMIC_RELEASE);
        place(i);
        return c;
    }
    uk_lost(UK_STATE_LOST_COMMS);
    return NULL;
}

// The number that all members give a communicator: its parent's, how many collective calls that had had, and the lowest
// members. A communicator that only its members create is the parent's and theirs; it may be created again.
static uint64_t identity(uint32_t parent, uint64_t count, const struct side *local, const struct side *remote,
                         bool by_group)
{
    const struct uk_state_comm *p = by_serial(parent);
    if (!p || p->identity == 0 || !local->ranks || local->ranks[0] < 0)
        return 0;
    uint64_t h = mix(mix(p->identity, by_group ? UINT64_MAX : count), (uint64_t)local->ranks[0]);
    if (remote->ranks) {
        if (remote->ranks[0] < 0)
            return 0;
        const int lower = local->ranks[0] < remote->ranks[0] ? local->ranks[0] : remote->ranks[0];
        const int upper = local->ranks[0] + remote->ranks[0] - lower;
        // The two sides may have different parents, or one at different counts.
        h = mix(mix(UINT64_C(0x7265746e69), (uint64_t)lower), (uint64_t)upper);
        by_group = true;
    }
    if (by_group) {
        for (int i = 0; !remote->ranks && i < local->n; i++)
            h = mix(h, (uint64_t)local->ranks[i]);
        for (unsigned i = 0; i < UK_STATE_COMMS; i++)
            if (uk_state->comms[i].handle != 0 && uk_state->comms[i].identity == (h ? h : 1)) {
                h = mix(h, 1);
                i = UINT32_MAX; // from the beginning
            }
    }
    return h ? h : 1;
}

void uk_comm_made(const MPI_Comm *comm, uint32_t parent, uint64_t count, bool by_group)
{
    typedef int number_of(MPI_Comm, int *);
    if (!comm || *comm == MPI_COMM_NULL)
        return;
    uk_lock();
    const bool known = find(UK_H(*comm)) >= 0;
    uk_unlock();
    if (known)
        return;
    int inter = 0, rank = -1;
    ASK(MPI_Comm_test_inter, number_of, *comm, &inter);
    ASK(MPI_Comm_rank, number_of, *comm, &rank);
    struct side local = look(*comm, false), remote = {.n = 0};
    if (inter)
        remote = look(*comm, true);
    uk_lock();
    struct uk_state_comm new = {
        .handle = UK_H(*comm), .kind = inter ? UK_STATE_INTER : UK_STATE_INTRA, .parent = parent, .rank = rank};
    new.identity = identity(parent, count, &local, &remote, by_group);
    new.local = keep(&local);
    struct uk_state_comm *c = add(&new);
    if (c && inter)
        c->remote = keep(&remote);
    uk_unlock();
    free(local.ranks);
    free(remote.ranks);
}

void uk_win_made(uint64_t handle, uint32_t parent, unsigned kind)
{
    uk_lock();
    const struct uk_state_comm *p = by_serial(parent);
    struct uk_state_comm new = {.handle = handle, .kind = kind, .parent = parent};
    new.local.place = new.remote.place = new.access.place = UK_STATE_UNKNOWN;
    if (p) {
        new.rank = p->rank;
        new.identity = p->identity == 0 ? 0 : mix(p->identity, p->collectives);
        new.local = p->local;
        if (new.local.place >= 0) { // the parent may be freed first
            const int from = new.local.place, to = room_for(new.local.size);
            new.local.place = to >= 0 ? to : UK_STATE_UNKNOWN;
            if (to >= 0)
                memcpy(&uk_state->members[to], &uk_state->members[from],
                       (size_t) new.local.size * sizeof *uk_state->members);
        }
    }
    add(&new);
    uk_unlock();
}

void uk_channels_drop(uint32_t serial); // requests.c

void uk_comm_freed(uint64_t handle)
{
    uk_lock();
    const int at = find(handle);
    if (at >= 0) {
        struct uk_state_comm *c = &uk_state->comms[at];
        static unsigned freed;
        uk_state->header.freed[freed % UK_STATE_FREED] = handle;
        uk_state->header.gone[freed++ % UK_STATE_FREED] = c->identity;
        uk_channels_drop(c->serial);
        __atomic_store_n(&c->handle, 0, __ATOMIC_RELEASE);
        uk_state->header.comms--;
        memset(places, 0, sizeof places);
        for (unsigned i = 0; i < UK_STATE_COMMS; i++)
            if (uk_state->comms[i].handle != 0)
                place(i);
    }
    uk_unlock();
}

bool uk_comm_alive(uint32_t serial)
{
    return by_serial(serial) != NULL;
}

// Which one it is of those on the communicator, from 1; 0 if that is not known.
int64_t uk_collective_again(uint32_t serial, unsigned func)
{
    struct uk_state_comm *c = (struct uk_state_comm *)by_serial(serial);
    if (!c)
        return 0;
    uk_collective_counts(c, func, MPI_UNDEFINED);
    return (int64_t)c->collectives;
}

void uk_comms_begin(void)
{
    const MPI_Comm both[] = {MPI_COMM_WORLD, MPI_COMM_SELF};
    for (unsigned i = 0; i < 2; i++) {
        uk_comm_made(&both[i], 0, 0, false);
        uk_lock();
        const int at = find(UK_H(both[i]));
        if (at >= 0) {
            struct uk_state_comm *c = &uk_state->comms[at];
            c->identity = i == 0 ? 1 : mix(2, (uint64_t)uk_state->header.rank);
        }
        uk_unlock();
    }
}

// Counts what a window's process sends to each member of a group, or has received from it.
static void count(const struct uk_state_comm *win, const struct uk_state_group *g, int tag, bool sent)
{
    for (int i = 0; i < g->size && g->place != UK_STATE_UNKNOWN; i++) {
        const int rank = g->place >= 0 ? uk_state->members[g->place + i] : g->first + i * g->stride;
        struct uk_state_channel *e = rank < 0 ? NULL : uk_channel(win->serial, rank, tag);
        if (e && sent)
            e->sent++;
        else if (e)
            e->received++;
    }
}

// A window's epoch with a group begins.
static void begins(struct uk_state_comm *win, struct uk_state_group *g, MPI_Group group, bool post)
{
    struct side s = look_at(group);
    uk_lock();
    *g = keep(&s);
    if (s.n > 0 && g->place == UK_STATE_UNKNOWN)
        uk_lost(UK_STATE_LOST_CHANNELS);
    if (post)
        count(win, g, UK_STATE_POST, true);
    uk_unlock();
    free(s.ranks);
}

void uk_win_posts(struct uk_state_comm *win, MPI_Group group)
{
    if (win)
        begins(win, &win->remote, group, true);
}

void uk_win_starts(struct uk_state_comm *win, MPI_Group group)
{
    if (win)
        begins(win, &win->access, group, false);
}

void uk_win_completes(struct uk_state_comm *win)
{
    uk_lock();
    if (win)
        count(win, &win->access, UK_STATE_COMPLETES, true);
    uk_unlock();
}

void uk_win_completed(struct uk_state_comm *win)
{
    uk_lock();
    if (win) {
        count(win, &win->access, UK_STATE_POST, false);
        win->access = (struct uk_state_group){.place = UK_STATE_UNKNOWN};
    }
    uk_unlock();
}

void uk_win_waited(struct uk_state_comm *win)
{
    uk_lock();
    if (win) {
        count(win, &win->remote, UK_STATE_COMPLETES, false);
        win->remote = (struct uk_state_group){.place = UK_STATE_UNKNOWN};
    }
    uk_unlock();
}
