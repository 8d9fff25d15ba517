// Which communicators are alive, and how many elements the program's arrays have that hold one for each of their
// members. MPI may be asked of a living communicator only: of any other handle it calls the error handler, or crashes.
//
// Runs: in a recorded call, as objects.h says.
//
// Never: calls MPI with the lock held, as that may take its time or not come back. It does call the allocator with it,
// which is sound although the program may have replaced it: what that calls of MPI passes unrecorded, and so does not
// come here. Without memory a communicator stays unknown.
#include "objects/objects.h"
#include "writer/lock.h"
#include <stdlib.h>

typedef int number_of(MPI_Comm, int *);

// By handle.
struct known {
    struct known *next;
    MPI_Comm comm;
};
enum { BUCKETS = 256 };
static struct known *known[BUCKETS];
static uk_lock_t lock;

static struct known **bucket(MPI_Comm comm)
{
    uint64_t h = UK_H(comm) * UINT64_C(0x9e3779b97f4a7c15);
    return &known[h >> 56];
}

static struct known **find(MPI_Comm comm)
{
    struct known **p = bucket(comm);
    while (*p && (*p)->comm != comm)
        p = &(*p)->next;
    return p;
}

void uk_comm_born(const MPI_Comm *comm)
{
    if (!comm || *comm == MPI_COMM_NULL)
        return;
    uk_lock(&lock);
    struct known **p = find(*comm);
    if (!*p && (*p = malloc(sizeof **p)) != NULL)
        **p = (struct known){NULL, *comm};
    uk_unlock(&lock);
}

void uk_comm_dies(const MPI_Comm *comm)
{
    if (!comm)
        return;
    uk_lock(&lock);
    struct known **p = find(*comm), *k = *p;
    if (k)
        *p = k->next;
    uk_unlock(&lock);
    free(k);
}

static bool alive(MPI_Comm comm)
{
    uk_lock(&lock);
    bool there = *find(comm) != NULL;
    uk_unlock(&lock);
    return there;
}

bool uk_comm_at_hand(MPI_Comm *comm)
{
    *comm = uk_comm_self();
    if (!uk_worldless)
        return true;
    const struct known *k = NULL;
    uk_lock(&lock);
    for (size_t i = 0; i < BUCKETS && !k; i++)
        k = known[i];
    if (k)
        *comm = k->comm;
    uk_unlock(&lock);
    return k != NULL;
}

static bool inter(MPI_Comm comm)
{
    int flag = 0;
    ASK(MPI_Comm_test_inter, number_of, comm, &flag);
    return flag != 0;
}

// Neighbours of the process: sources of what it receives, or destinations (MPI-4.0, 8.6).
static int neighbours(MPI_Comm comm, bool out)
{
    typedef int graph(MPI_Comm, int, int *);
    typedef int dist_graph(MPI_Comm, int *, int *, int *);
    int kind = MPI_UNDEFINED, n = 0, rank = 0, nin = 0, nout = 0, weighted;
    ASK(MPI_Topo_test, number_of, comm, &kind);
    if (kind == MPI_CART) {
        ASK(MPI_Cartdim_get, number_of, comm, &n);
        return 2 * n;
    }
    if (kind == MPI_GRAPH) {
        ASK(MPI_Comm_rank, number_of, comm, &rank);
        ASK(MPI_Graph_neighbors_count, graph, comm, rank, &n);
        return n;
    }
    if (kind == MPI_DIST_GRAPH)
        ASK(MPI_Dist_graph_neighbors_count, dist_graph, comm, &nin, &nout, &weighted);
    return out ? nout : nin;
}

int64_t uk_extent(MPI_Comm comm, enum uk_extent what)
{
    if (!alive(comm))
        return 0;
    int n = 0, kind = MPI_UNDEFINED;
    bool two = inter(comm);
    switch (what) {
    case UK_MEMBERS:
        if (two)
            ASK(MPI_Comm_remote_size, number_of, comm, &n);
        else
            ASK(MPI_Comm_size, number_of, comm, &n);
        break;
    case UK_LOCAL:
        ASK(MPI_Comm_size, number_of, comm, &n);
        break;
    case UK_IN:
    case UK_OUT:
        n = two ? 0 : neighbours(comm, what == UK_OUT);
        break;
    case UK_DIMS:
        if (!two)
            ASK(MPI_Topo_test, number_of, comm, &kind);
        if (kind == MPI_CART)
            ASK(MPI_Cartdim_get, number_of, comm, &n);
        break;
    }
    return n;
}

bool uk_at_root(MPI_Comm comm, int root)
{
    int rank = MPI_UNDEFINED;
    if (!alive(comm))
        return false;
    if (inter(comm))
        return root == MPI_ROOT;
    ASK(MPI_Comm_rank, number_of, comm, &rank);
    return rank == root;
}

int64_t uk_last(const int *at, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (at[i] < 0 || (i > 0 && at[i] < at[i - 1]))
            return 0; // not what the standard asks for, so the last element says nothing
    return n > 0 ? at[n - 1] : 0;
}

int64_t uk_sum(const int *at, size_t n)
{
    int64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (at[i] < 0)
            return 0;
        sum += at[i];
    }
    return sum;
}
