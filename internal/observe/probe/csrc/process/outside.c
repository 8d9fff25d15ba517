// Calls outside of MPI's life: before its initialisation, after its end, or an initialisation again (MPI-4.0, 11.2 and
// 11.4). There is no ring then, and MPI mostly aborts, so they are recorded in a file of the session directory before
// they are made. So is what is freed there.
//
// Runs: in calls of MPI when it is not alive, and in MPI_Init.
//
// Never: calls MPI, which may not be called then, except for its version; allocates in a call outside of its life, but
// what Python may of which the script is asked, or locks but what the unwinder may (callers.c); writes more than a few
// lines, as a program may make such calls without end. What it cannot write is left out.
#define _GNU_SOURCE
#include "process/process.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

enum { MOST = 16, DEEPEST = 40, SCRIPT = 4096 };

static int create(const char *session, const char *end, int flags)
{
    char name[sizeof uk_process.session + 64];
    int n = snprintf(name, sizeof name, "%s/%s%d%s", session, UK_OUTSIDE_PREFIX, (int)getpid(), end);
    return n < (int)sizeof name ? open(name, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600) : -1;
}

// A copy of what is mapped where, by which sites can be resolved.
static void keep_maps(const char *session)
{
    char piece[4096];
    int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : create(session, UK_MAPS_SUFFIX, O_TRUNC);
    ssize_t n = 0;
    while (to >= 0 && (n = read(from, piece, sizeof piece)) > 0)
        if (write(to, piece, (size_t)n) != n)
            break;
    if (to >= 0)
        close(to);
    if (from >= 0)
        close(from);
}

// Says whether a call comes from the MPI library itself, whose functions use one another.
static bool of_library(void *ra)
{
    Dl_info caller, library;
    void *f = uk_sym("PMPI_Init");
    return f && dladdr(ra, &caller) && dladdr(f, &library) && caller.dli_fbase == library.dli_fbase;
}

// The callers of a call that returns to ra, as text: without a ring each walk is recorded as it is.
struct walk {
    const void *ra;
    bool found;
    unsigned n;
    size_t length;
    char text[DEEPEST * (sizeof " 0x0123456789abcdef" - 1) + 1];
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *of)
{
    struct walk *w = of;
    const uintptr_t pc = _Unwind_GetIP(context);
    if (!w->found) {
        w->found = pc == (uintptr_t)w->ra;
        return _URC_NO_REASON;
    }
    if (pc == 0 || w->n++ == DEEPEST)
        return _URC_END_OF_STACK;
    w->length += (size_t)snprintf(w->text + w->length, sizeof w->text - w->length, " 0x%llx", (unsigned long long)pc);
    return _URC_NO_REASON;
}

static void tell(const char *when, unsigned func, void *ra)
{
    static unsigned written;
    const char *session = getenv(UK_ENV_SESSION), *name = func < uk_nnames ? uk_names[func] : NULL;
    struct uk_thread *t = &uk_self;
    if (uk_from_fortran(t))
        ra = t->fortran_ra;
    if (!session || !name || of_library(ra) || uk_misfit())
        return;
    unsigned nth = __atomic_fetch_add(&written, 1, __ATOMIC_RELAXED);
    if (nth >= MOST)
        return;
    int keep = errno;
    if (nth == 0)
        keep_maps(session);
    struct walk w;
    w.ra = ra;
    w.found = false;
    w.n = 0;
    w.length = 0;
    w.text[0] = 0;
    _Unwind_Backtrace(step, &w);
    char text[256 + sizeof w.text + SCRIPT];
    int n = snprintf(text, sizeof text, "%s %u %s %#llx %d 0x%llx%s\n", when, func, name + 1,
                     (unsigned long long)(uintptr_t)ra, uk_process.rank, (unsigned long long)uk_process.finalize_site,
                     w.text);
    n += (int)uk_python_lines(text + n, SCRIPT);
    int file = create(session, "", O_APPEND);
    if (file >= 0) {
        if (write(file, text, (size_t)n) != n)
            __atomic_store_n(&written, MOST, __ATOMIC_RELAXED);
        close(file);
    }
    errno = keep;
}

void uk_outside_slow(unsigned func, void *ra)
{
    if (uk_process.sessions) // in a session calls are made without MPI_Init (MPI-4.0, 11.3)
        return;
    if (uk_process.life == UK_UNBORN)
        tell("before", func, ra);
    else if (uk_process.life == UK_PAST)
        tell("after", func, ra);
    else if (func == uk_id_finalize && uk_process.finaliser && uk_process.finaliser != &uk_self)
        tell("beside", func, ra);
}

// An info object may be freed after MPI has ended (MPI-4.0, 11.4.1), and then it was no leak.
void uk_freed_late(unsigned func, void *ra)
{
    static int once;
    if (uk_process.life == UK_PAST && !__atomic_exchange_n(&once, 1, __ATOMIC_RELAXED))
        tell("freed", func, ra);
}

void uk_init_begin(unsigned func, void *ra)
{
    switch (uk_process.life) {
    case UK_UNBORN:
        if (uk_misfit())
            break;
        uk_process.life = UK_BEGINNING;
        uk_process.init = func;
        uk_process.init_site = (uint64_t)(uintptr_t)(uk_from_fortran(&uk_self) ? uk_self.fortran_ra : ra);
        uk_apart |= UK_APART_INIT;
        uk_threads_before_init();
        break;
    case UK_ALIVE:
        tell("again", func, ra);
        break;
    case UK_PAST:
        tell("after", func, ra);
        break;
    case UK_BEGINNING: // a Fortran entry point has been here before
    case UK_ENDING:
        break;
    }
}

void uk_init_end(int required, int provided)
{
    if (uk_process.life != UK_BEGINNING)
        return;
    uk_process.life = UK_ALIVE;
    uk_init_done(required, provided);
    uk_apart &= ~(unsigned)UK_APART_INIT;
}

void uk_init_failed(void)
{
    if (uk_process.life == UK_BEGINNING)
        uk_process.life = UK_UNBORN;
    uk_apart &= ~(unsigned)UK_APART_INIT;
}
