// Local questions to the MPI library, and what its structures say.
//
// Runs: in a recorded call, as objects.h says, and at MPI_Init.
//
// Never: locks. What it allocates is the thread's, and is kept for its next call or freed in this one.
#include "objects/sent.h"
#include <limits.h>
#include <stdlib.h>

#ifdef OPEN_MPI
// Open MPI's predefined handles are addresses of objects in the library.
#define OBJECT(type, name) ((type)uk_sym(name))
MPI_Comm uk_world(void)
{
    return OBJECT(MPI_Comm, "ompi_mpi_comm_world");
}
MPI_Comm uk_comm_self(void)
{
    return OBJECT(MPI_Comm, "ompi_mpi_comm_self");
}
#else
MPI_Comm uk_world(void)
{
    return MPI_COMM_WORLD;
}
MPI_Comm uk_comm_self(void)
{
    return MPI_COMM_SELF;
}
#endif

// A thread's memory for the time of a call, grown on demand. Never freed before the thread ends. Where there is none,
// what the call does can no longer be recorded, so nothing is.
static void *scratch(struct uk_thread *t, int which, size_t size)
{
    if (t->scratch[which].size < size) {
        void *at = realloc(t->scratch[which].at, size);
        if (!at) {
            uk_give_up(t);
            return NULL;
        }
        t->scratch[which].at = at;
        t->scratch[which].size = size;
    }
    return t->scratch[which].at;
}

MPI_Status *uk_scratch_grown(struct uk_thread *t, int n)
{
    MPI_Status *s = scratch(t, UK_SCRATCH_STATUSES, sizeof(MPI_Status) * (n > 0 ? (size_t)n : 1));
    return s ? s : MPI_STATUSES_IGNORE;
}

uint64_t *uk_sent_keep(struct uk_thread *t, size_t n)
{
    uint64_t *handles = scratch(t, UK_SCRATCH_HANDLES, (n + 1) * sizeof(uint64_t));
    if (!handles)
        uk_sent_unseen(); // which of them the call completes will not be known
    return handles;
}

int *uk_group_ranks(struct uk_thread *t, MPI_Group group, int *n)
{
    typedef int size_of(MPI_Group, int *);
    *n = 0;
    ASK(MPI_Group_size, size_of, group, n);
    size_t size = *n > 0 ? (size_t)*n : 0;
    int *ranks = scratch(t, UK_SCRATCH_RANKS, 2 * (size + 1) * sizeof *ranks);
    if (!ranks) {
        *n = 0;
        return NULL;
    }
    int *from = ranks + size + 1;
    for (size_t i = 0; i < size; i++)
        from[i] = (int)i;
    uk_world_ranks(group, (int)size, from, ranks);
    for (size_t i = 0; i < size; i++)
        if (ranks[i] == MPI_UNDEFINED)
            ranks[i] = -1;
    return ranks;
}

// Who are the neighbours of the process in a distributed graph is known to nobody but MPI, as any process may have
// named them (MPI-4.0, 8.5.4).
static void data_neighbours(struct uk_thread *t, MPI_Comm comm)
{
    typedef int kind_of(MPI_Comm, int *);
    typedef int count_of(MPI_Comm, int *, int *, int *);
    typedef int neighbours_of(MPI_Comm, int, int[], int[], int, int[], int[]);
    int kind = MPI_UNDEFINED, nin = 0, nout = 0, weighted;
    ASK(MPI_Topo_test, kind_of, comm, &kind);
    if (kind != MPI_DIST_GRAPH)
        return;
    ASK(MPI_Dist_graph_neighbors_count, count_of, comm, &nin, &nout, &weighted);
    int n = nin + nout;
    int *in = scratch(t, UK_SCRATCH_RANKS, (2 * (size_t)n + 1) * sizeof *in), *out = in + nin, *weights = in + n;
    if (!in)
        return;
    ASK(MPI_Dist_graph_neighbors, neighbours_of, comm, nin, in, weights, nout, out, weights + nin);
    uint64_t head[] = {[UK_DATA_NEIGHBOURS_HANDLE] = UK_H(comm), [UK_DATA_NEIGHBOURS_SOURCES] = (uint64_t)nin},
             middle = (uint64_t)nout;
    struct uk_chunk chunks[] = {{head, UK_DATA_NEIGHBOURS_FIXED, UK_WORDS},
                                {in, (size_t)nin, UK_INTS},
                                {&middle, 1, UK_WORDS},
                                {out, (size_t)nout, UK_INTS}};
    uk_long(t, UK_DATA_NEIGHBOURS, UK_DATA, 0, chunks, 4);
}

void uk_data_comm(struct uk_thread *t, MPI_Comm comm)
{
    typedef int flag_of(MPI_Comm, int *);
    typedef int group_of(MPI_Comm, MPI_Group *);
    typedef int free_group(MPI_Group *);
    int inter = 0, nlocal = 0, nremote = 0;
    MPI_Group group;
    uk_comm_born(&comm);
    ASK(MPI_Comm_test_inter, flag_of, comm, &inter);
    ASK(MPI_Comm_group, group_of, comm, &group);
    int *local = uk_group_ranks(t, group, &nlocal);
    int *remote = NULL;
    ASK(MPI_Group_free, free_group, &group);
    if (inter) {
        int *keep = malloc((size_t)nlocal * sizeof *keep + 1);
        if (!keep) {
            uk_give_up(t);
            return;
        }
        for (int i = 0; i < nlocal; i++)
            keep[i] = local[i];
        local = keep;
        ASK(MPI_Comm_remote_group, group_of, comm, &group);
        remote = uk_group_ranks(t, group, &nremote);
        ASK(MPI_Group_free, free_group, &group);
    }
    int first = 0; // so many are the first of the world in order
    while (first < nlocal && local[first] == first)
        first++;
    int whole = nlocal > 0 && first == nlocal;
    uint64_t head[] = {
        [UK_DATA_COMM_HANDLE] = UK_H(comm),
        [UK_DATA_COMM_KIND] = (inter ? UK_COMM_INTER : 0) | (whole ? UK_COMM_FIRST : 0),
        [UK_DATA_COMM_LOCAL] = (uint64_t)nlocal,
    };
    uint64_t middle = (uint64_t)nremote;
    struct uk_chunk chunks[] = {
        {head, UK_DATA_COMM_FIXED, UK_WORDS},
        {local, whole ? 0 : (size_t)nlocal, UK_INTS},
        {&middle, 1, UK_WORDS},
        {remote, (size_t)nremote, UK_INTS},
    };
    uk_long(t, UK_DATA_COMM, UK_DATA, 0, chunks, 4);
    if (inter)
        free(local);
    else
        data_neighbours(t, comm);
    static bool bounded; // where there is no MPI_COMM_WORLD, the first communicator says what had to be left open
    if (uk_worldless && !__atomic_exchange_n(&bounded, true, __ATOMIC_RELAXED))
        uk_data_limits(t, MPI_THREAD_MULTIPLE, MPI_THREAD_MULTIPLE, uk_tag_bound(comm, INT_MAX), 0, 0);
}

void uk_data_worldless(struct uk_thread *t, int rank, int size)
{
    const uint64_t none = 0;
    const uint64_t world[] = {
        [UK_DATA_COMM_HANDLE] = UK_H(uk_world()),
        [UK_DATA_COMM_KIND] = UK_COMM_FIRST,
        [UK_DATA_COMM_LOCAL] = (uint64_t)size,
    };
    const uint64_t self[] = {
        [UK_DATA_COMM_HANDLE] = UK_H(uk_comm_self()), [UK_DATA_COMM_KIND] = 0, [UK_DATA_COMM_LOCAL] = 1};
    const struct uk_chunk all[] = {{world, UK_DATA_COMM_FIXED, UK_WORDS}, {&none, 1, UK_WORDS}};
    const struct uk_chunk own[] = {{self, UK_DATA_COMM_FIXED, UK_WORDS}, {&rank, 1, UK_INTS}, {&none, 1, UK_WORDS}};
    uk_long(t, UK_DATA_COMM, UK_DATA, 0, all, 2);
    uk_long(t, UK_DATA_COMM, UK_DATA, 0, own, 3);
}

void uk_status(const MPI_Status *s, uint64_t w[3])
{
    w[0] = (uint64_t)(int64_t)s->MPI_SOURCE;
    w[1] = (uint32_t)s->MPI_TAG;
#if defined OPEN_MPI
    int cancelled = s->_cancelled;
    uint64_t size = s->_ucount;
#elif defined MPICH_VERSION
    int cancelled = s->count_hi_and_cancelled & 1;
    uint64_t size = (uint64_t)((uint32_t)s->count_hi_and_cancelled >> 1) << 32 | (uint32_t)s->count_lo;
#else
    typedef int test(const MPI_Status *, int *);
    typedef int count_of(const MPI_Status *, MPI_Datatype, int *);
    int cancelled = 0, count = MPI_UNDEFINED;
    ASK(MPI_Test_cancelled, test, s, &cancelled);
    ASK(MPI_Get_count, count_of, s, MPI_BYTE, &count);
    uint64_t size = count == MPI_UNDEFINED ? UINT64_MAX : (uint64_t)count;
#endif
    w[2] = cancelled ? (uint64_t)-2 : size;
}
