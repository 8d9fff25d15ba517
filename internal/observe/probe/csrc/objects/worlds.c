// The group of all processes by whose order ranks are numbered: that of MPI_COMM_WORLD, or where MPI was initialised by
// sessions alone, that of "mpi://WORLD" of a session that is open (MPI-4.0, 11.3).
//
// Runs: in a recorded call, as objects.h says; uk_world_of_session where a session begins and ends.
//
// Never: locks; frees a group that a thread is asking about: who takes it away waits until the others, whose questions
// are local, are done.
#include "objects/objects.h"
#include <sched.h>

bool uk_worldless;
static MPI_Group of_session;
static bool there;      // of_session is one
static unsigned asking; // threads that use it

void uk_world_of_session(const MPI_Group *group)
{
    __atomic_store_n(&there, false, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&asking, __ATOMIC_SEQ_CST) > 0)
        sched_yield();
    if (!group)
        return;
    of_session = *group;
    __atomic_store_n(&there, true, __ATOMIC_SEQ_CST);
}

static MPI_Group of_world(void)
{
    typedef int group_of(MPI_Comm, MPI_Group *);
    static MPI_Group world;
    static bool known;
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        ASK(MPI_Comm_group, group_of, uk_world(), &world);
        __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    return world;
}

void uk_world_ranks(MPI_Group group, int n, const int *from, int *ranks)
{
    typedef int translate(MPI_Group, int, const int[], MPI_Group, int[]);
    for (int i = 0; i < n; i++)
        ranks[i] = MPI_UNDEFINED;
    if (n <= 0)
        return;
    if (!uk_worldless) {
        ASK(MPI_Group_translate_ranks, translate, group, n, from, of_world(), ranks);
        return;
    }
    __atomic_add_fetch(&asking, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&there, __ATOMIC_SEQ_CST))
        ASK(MPI_Group_translate_ranks, translate, group, n, from, of_session, ranks);
    __atomic_sub_fetch(&asking, 1, __ATOMIC_SEQ_CST);
}
