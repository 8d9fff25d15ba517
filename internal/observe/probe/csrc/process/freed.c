// Memory that the program frees while a pending operation uses it: whether a buffer lies in what is given back
// (objects/lent.h). Memory of which it matters that it is given back at all: see objects/reuse.h.
//
// Runs: on_free wherever the program or a library frees memory while an operation is pending, or the order of threads is
// followed, on every thread, in signal handlers and in a child after fork; uk_freed_init at MPI_Init.
//
// Never: waits for a lock longer than a moment; allocates, except for what it records: then it is the program's error
// that memory is freed. In calls of MPI nothing is looked at, as what is freed there is the library's, whose locks the
// thread may have. errno is kept.
#define _GNU_SOURCE
#pragma GCC optimize("O2")
#include "process/process.h"
#include "outside/frees.h"
#include "objects/reuse.h"
#include "objects/sent.h"
#include <errno.h>

// This thread is looking, or a signal handler has interrupted it there.
static __thread bool busy __attribute__((tls_model("initial-exec")));

// Says whether this thread may look at what is freed now.
static inline bool looks(void)
{
    return (uk_sending & UK_SENT_LENT) && !busy && uk_self.gate != UK_INSIDE && !uk_self.hidden;
}

static void tell(uintptr_t from, uintptr_t to, unsigned how, void *site)
{
    struct uk_thread *t = &uk_self;
    struct uk_freed f = {.from = from, .to = to, .how = how, .site = (uint64_t)(uintptr_t)site};
    f.n = uk_stack_here(f.stack, UK_FREED_FRAMES);
    if (uk_process.python && t->gate == UK_OPEN && uk_python_holds()) {
        if (t->poll.live) // what is recorded of the site comes after the polls
            uk_poll_forget(t, false);
        f.site = uk_python_site(t, site);
    }
    uk_memory_freed(&f);
}

static __attribute__((noinline)) void found(uintptr_t from, size_t size, unsigned how, void *site)
{
    const int keep = errno;
    busy = true;
    if (uk_is_ours() && uk_sent_freed(from, from + size))
        tell(from, from + size, how, site);
    busy = false;
    errno = keep;
}

static void on_free(uintptr_t from, size_t size, enum uk_freed_how how, void *site)
{
    if (UK_UNLIKELY(uk_frees_all))
        uk_reuse_given_back(from, from + size);
    if (how != UK_HOW_PERHAPS && looks() && UK_UNLIKELY(uk_lent_near(from, from + size)))
        found(from, size, how, site);
}

void uk_freed_array(uintptr_t from, size_t size)
{
    on_free(from, size, UK_HOW_FREE, __builtin_return_address(0));
}

void uk_freed_init(void)
{
    _Static_assert((int)UK_HOW_FREE == UK_FREED_FREE && (int)UK_HOW_REALLOC == UK_FREED_REALLOC &&
                       (int)UK_HOW_UNMAP == UK_FREED_UNMAP,
                   "the same numbers");
    __atomic_store_n(&uk_frees, on_free, __ATOMIC_RELEASE);
}
