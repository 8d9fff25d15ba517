// Sessions (MPI-4.0, 11.3): a process may use MPI by them alone, without MPI_Init, and is watched from its first one
// on. Where it stands in the world is what "mpi://WORLD" says, and it is over when it ends with no session open: after
// the last one another may begin.
//
// Runs: around the real MPI_Session_init and MPI_Session_finalize, and after the program's destructors.
//
// Never: keeps these from being called, or changes their results. The lock is held while MPI is asked, by local
// questions, and while the first session makes the process a watched one: another thread that comes meanwhile has to
// wait, or its session would not be known.
#include "process/process.h"
#include "writer/lock.h"

#ifdef MPI_SESSION_NULL

#include <stdlib.h>

typedef int free_group(MPI_Group *);

// A session that has not been finalised.
struct session {
    struct session *next;
    MPI_Session handle;
    MPI_Group world;
};
static struct session *all;
static uint64_t last; // where the program finalised the one that was the last
static uk_lock_t lock;

// How a process stands that MPI was not initialised in but by sessions, as its end shows it: see ring.
static void between(bool is)
{
    if (uk_worldless && uk_is_ours())
        __atomic_store_n(&uk_process.first->death.final, is ? UK_BETWEEN_SESSIONS : 0, __ATOMIC_RELEASE);
}

void uk_session_begins(void)
{
    uk_process.sessions = true;
    uk_lock(&lock);
    between(false); // should it die in there, it has not left MPI
    uk_unlock(&lock);
    if (uk_process.state != UK_IDLE || uk_process.life != UK_UNBORN || uk_misfit())
        return;
    uk_apart |= UK_APART_INIT;
    uk_threads_before_init();
}

static void watch(MPI_Group world)
{
    typedef int number_of(MPI_Group, int *);
    int rank = MPI_UNDEFINED, size = 0;
    ASK(MPI_Group_rank, number_of, world, &rank);
    ASK(MPI_Group_size, number_of, world, &size);
    if (rank == MPI_UNDEFINED)
        return;
    uk_world_of_session(&world);
    uk_watch_sessions(rank, size);
}

void uk_session_began(const MPI_Session *handle)
{
    typedef int group_of(MPI_Session, const char *, MPI_Group *);
    uk_apart &= ~(unsigned)UK_APART_INIT;
    if (uk_process.state == UK_ASIDE)
        return;
    uk_lock(&lock);
    struct session *s = handle ? malloc(sizeof *s) : NULL;
    if (s && ASK(MPI_Group_from_session_pset, group_of, *handle, "mpi://WORLD", &s->world) == MPI_SUCCESS) {
        s->handle = *handle;
        s->next = all;
        all = s;
        if (uk_process.state == UK_IDLE && uk_process.life == UK_UNBORN)
            watch(s->world);
        else if (!s->next)
            uk_world_of_session(&s->world);
    } else {
        free(s);
    }
    between(!all);
    uk_unlock(&lock);
}

void uk_session_ends(const MPI_Session *handle, uint64_t site)
{
    uk_lock(&lock);
    struct session **p = &all, *s;
    while ((s = *p) != NULL && (!handle || s->handle != *handle))
        p = &s->next;
    if (s) {
        *p = s->next;
        uk_world_of_session(all ? &all->world : NULL);
        ASK(MPI_Group_free, free_group, &s->world);
        last = site;
        free(s);
    }
    uk_unlock(&lock);
}

void uk_session_ended(void)
{
    uk_lock(&lock);
    between(!all);
    uk_unlock(&lock);
}

void uk_sessions_over(void)
{
    if (!uk_worldless || !uk_is_ours() || uk_process.first->death.final != UK_BETWEEN_SESSIONS)
        return;
    uk_finalize_begin(last);
    uk_finalize_end();
}

#else

void uk_sessions_over(void)
{
}

#endif
