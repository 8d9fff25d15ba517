// The life of a watched process: from the end of MPI_Init to the end of MPI_Finalize.
#define _GNU_SOURCE
#include "forced.h"
#include "memory.h"
#include "sent.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

struct uk_process uk_process = {.rank = -1};
void *uk_reals[UK_MAX_FUNCS];

void *uk_sym(const char *name)
{
    // An object that the executable has a copy of (R_*_COPY) is the executable's, so the global scope comes first; but a
    // function's profiling name may be the probe's there.
    bool function = strncmp(name, "PMPI_", 5) == 0;
    void *h = function ? uk_library() : NULL;
    void *f = h ? dlsym(h, name) : NULL;
    if (!f)
        f = dlsym(function ? RTLD_NEXT : RTLD_DEFAULT, name);
    if (!f && (h = uk_library()) != NULL)
        f = dlsym(h, function ? name + 1 : name); // some libraries have their profiling names in another one
    return f;
}

void *uk_real_fortran(const char *name)
{
    // The real function is asked for right before it is called, and an initialisation is called once.
    static const char init[] = "pmpi_init_"; // and pmpi_init_thread_, pmpi_init_f08_, …
    if (strncmp(name, init, sizeof init - 1) == 0)
        uk_threads_before_init();
    void *f = dlsym(RTLD_NEXT, name);
    if (!f)
        f = uk_sym(name);
    return f ? f : dlsym(RTLD_NEXT, name + 1); // the profiling names are another library's
}

void *uk_real_slow(unsigned func)
{
    void *f = uk_sym(uk_names[func]);
    if (!f) {
        fprintf(stderr, "unknot: the MPI library has no %s, which its mpi.h declares\n", uk_names[func]);
        abort();
    }
    __atomic_store_n(&uk_reals[func], f, __ATOMIC_RELAXED);
    return f;
}

static struct uk_control *map_control(const char *session)
{
    char name[sizeof uk_process.session + sizeof UK_CONTROL_NAME + 1];
    snprintf(name, sizeof name, "%s/%s", session, UK_CONTROL_NAME);
    int fd = open(name, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    struct uk_control *c = mmap(NULL, UK_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (c == MAP_FAILED)
        return NULL;
    if (c->magic != UK_MAGIC || c->version != UK_VERSION || c->state != UK_WATCHING) {
        munmap(c, UK_HEADER_SIZE);
        return NULL;
    }
    return c;
}

// Handles, constants and structures differ between MPI libraries, so in a program of another one than the probe was made for nothing of
// that is looked at, and all calls pass. The first process that finds this says so, with the library's path.
static bool misfit(bool loaded)
{
    static bool known;
    const char *session = getenv(UK_ENV_SESSION), *path;
    if (__atomic_load_n(&known, __ATOMIC_ACQUIRE))
        return true;
    if (!session || uk_library_fits(loaded, &path))
        return false;
    __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    uk_process.state = UK_ASIDE;
    uk_process.life = UK_ALIVE; // no call is told to be at the wrong time
    struct uk_control *control = strlen(session) < sizeof uk_process.session ? map_control(session) : NULL;
    uint32_t nobody = 0;
    if (control && __atomic_compare_exchange_n(&control->wrong, &nobody, 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        strncpy((char *)control->loaded, path, sizeof control->loaded - 1);
    if (control)
        munmap(control, UK_HEADER_SIZE);
    return true;
}

bool uk_misfit(void)
{
    return misfit(true);
}

// A program that was linked with another MPI library is started again without the probe, before any of it has run. (If the dynamic linker
// was started as a program, it would have to be given the name of this one; then the calls pass.)
__attribute__((constructor)) static void check_library(int argc, char **argv)
{
    (void)argc;
    const char *preload = getenv("LD_PRELOAD");
    Dl_info self;
    if (!preload || !uk_library() || !misfit(false) || getauxval(AT_BASE) == 0 || !dladdr(uk_reals, &self))
        return;
    char *rest = calloc(1, strlen(preload) + 1), *list = strdup(preload), *state = NULL;
    if (!rest || !list)
        return;
    for (char *p = strtok_r(list, " :", &state); p; p = strtok_r(NULL, " :", &state))
        if (strcmp(p, self.dli_fname) != 0) {
            if (*rest)
                strcat(rest, ":");
            strcat(rest, p);
        }
    if (strlen(rest) == strlen(preload))
        return;
    setenv("LD_PRELOAD", rest, 1);
    execve("/proc/self/exe", argv, environ);
}

// A forked child shares its parent's mappings: it must not write there. One that executes an MPI program starts afresh.
static void after_fork_in_child(void)
{
    uk_process.state = UK_ASIDE;
    uk_process.first = NULL;
    uk_sending = UK_SENT_NOT;
    if (uk_self.ring)
        uk_step_aside(&uk_self);
    uk_self.gate = uk_self.rest = UK_OFF;
}

// A thread without a ring: what it does, and so what it completes, will not be seen.
static bool unattached(struct uk_thread *t)
{
    t->gate = t->rest = UK_OFF;
    uk_sending = UK_SENT_NOT;
    return false;
}

bool uk_attach(struct uk_thread *t)
{
    unsigned index = t->index;
    if (uk_process.first && uk_ring_unread(uk_process.first, uk_process.control))
        return unattached(t);
    // A program may call MPI from a second thread at any level, one thread after the other. Should the first thread draw a
    // stamp at this very moment, that stamp is drawn twice, and no harm is done.
    if (uk_process.first)
        __atomic_store_n(&uk_stamps.shared, true, __ATOMIC_SEQ_CST);
    if (index == 0 && uk_process.first)
        index = __atomic_add_fetch(&uk_process.threads, 1, __ATOMIC_RELAXED);
    t->rest = UK_OPEN;
    if (!uk_ring_take(t, uk_process.control, index)
        && !uk_ring_create(t, uk_process.session, uk_process.control, index)) {
        __atomic_store_n(&uk_process.control->error, (uint32_t)errno, __ATOMIC_RELAXED);
        __atomic_add_fetch(&uk_process.control->failed, 1, __ATOMIC_RELEASE);
        return unattached(t);
    }
    t->ring->stack_ready = uk_process.stacks;
    uk_forced_begin(t);
    return true;
}

__thread struct uk_call uk_call __attribute__((tls_model("initial-exec")));

// Its Enter record may be missing, if it was left while the probe asked the MPI library about the arguments.
void uk_abandon(struct uk_thread *t)
{
    if (t->gate != UK_INSIDE)
        return;
    uk_sent_unseen(); // what the call has completed is not known
    if (t->stamp != uk_call.stamp || t->poll.live) {
        uk_begin(t, uk_call.id, UK_EXIT, MPI_ERR_UNKNOWN, 0);
        uk_commit(t);
    }
    uk_leave(t);
}

// A call is nested in another one if its frame is inside of the other's, and the other's is still there.
static bool nested(void **frame)
{
    return !uk_call.frame || (frame < uk_call.frame && uk_call.frame[1] == uk_call.ra);
}

// Functions that every thread may call at every level of thread support. They say nothing of what a thread is going to
// do, so a thread that has called nothing else gets no ring.
static bool asks_only(unsigned func)
{
    static const char *const names[] = {"PMPI_Is_thread_main", "PMPI_Query_thread", "PMPI_Initialized",
                                        "PMPI_Finalized",      "PMPI_Get_version",  "PMPI_Get_library_version"};
    const char *name = func < uk_nnames ? uk_names[func] : NULL;
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

struct uk_thread *uk_enter_slow(unsigned func, void **frame)
{
    struct uk_thread *t = &uk_self;
    if (t->gate == UK_INSIDE && !nested(frame)) {
        uk_abandon(t);
        return t->gate == UK_OPEN ? uk_enter(func, frame) : NULL;
    }
    if (t->gate != UK_NEW)
        return NULL;
    int state = __atomic_load_n(&uk_process.state, __ATOMIC_ACQUIRE);
    if (state == UK_ASIDE)
        t->gate = t->rest = UK_OFF;
    if (state != UK_ON || asks_only(func))
        return NULL;
    t->gate = UK_INSIDE;
    int keep = errno;
    bool attached = uk_attach(t);
    errno = keep;
    if (!attached)
        return NULL;
    uk_threads_attached(t);
    uk_memory_thread(t);
    uk_call = (struct uk_call){frame, frame[1], t->stamp, func};
    return t;
}

// The tag upper bound of MPI_COMM_WORLD; see MPI-4.0, 9.1.2.
static uint64_t tag_upper_bound(MPI_Comm world)
{
    int (*get)(MPI_Comm, int, void *, int *) = (int (*)(MPI_Comm, int, void *, int *))uk_sym("PMPI_Comm_get_attr");
    int *value = NULL, found = 0;
    if (get(world, MPI_TAG_UB, &value, &found) != MPI_SUCCESS || !found)
        return 32767; // what the standard guarantees
    return (uint64_t)*value;
}

static void hello(struct uk_thread *t, MPI_Comm world, int required)
{
    int (*ask_rank)(MPI_Comm, int *) = (int (*)(MPI_Comm, int *))uk_sym("PMPI_Comm_rank");
    int (*ask_size)(MPI_Comm, int *) = (int (*)(MPI_Comm, int *))uk_sym("PMPI_Comm_size");
    int (*ask_version)(char *, int *) = (int (*)(char *, int *))uk_sym("PMPI_Get_library_version");
    int rank = 0, size = 0, length = 0;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    ask_rank(world, &rank);
    uk_process.rank = rank;
    ask_size(world, &size);
    ask_version(version, &length);
    uint64_t words[] = {(uint64_t)rank, (uint64_t)size, (uint64_t)uk_process.level, tag_upper_bound(world),
                        uk_process.python != 0, (uint64_t)length};
    struct uk_chunk chunks[] = {{words, 6, UK_WORDS}, {version, (size_t)length, UK_BYTES}};
    uk_long(t, UK_DATA_HELLO, UK_DATA, 0, chunks, 2);
    uk_data_limits(t, world, required, words[3]);
}

// Tells where executable code stands in memory, as long as it can be told: a rank may be gone before anybody looks.
static void maps(struct uk_thread *t)
{
    FILE *f = fopen("/proc/self/maps", "re");
    if (!f)
        return;
    static const size_t most = 1 << 16;
    char *text = malloc(most), line[PATH_MAX + 256];
    size_t n = 0;
    while (text && fgets(line, sizeof line, f)) {
        const char *mode = strchr(line, ' ');
        size_t length = strlen(line);
        if (mode && mode[3] == 'x' && n + length <= most) {
            memcpy(text + n, line, length);
            n += length;
        }
    }
    fclose(f);
    uint64_t length = n;
    struct uk_chunk chunks[] = {{&length, 1, UK_WORDS}, {text, n, UK_BYTES}};
    if (n > 0)
        uk_long(t, UK_DATA_MAPS, UK_DATA, 0, chunks, 2);
    free(text);
}

void uk_init_done(int required, int provided)
{
    struct uk_thread *t = &uk_self;
    const char *session = getenv(UK_ENV_SESSION);
    if (uk_process.state != UK_IDLE)
        return;
    uk_process.state = UK_ASIDE; // until everything below has come right
    if (!session || strlen(session) >= sizeof uk_process.session)
        return;
    strcpy(uk_process.session, session);
    uk_process.control = map_control(session);
    if (!uk_process.control)
        return;
    uk_process.pid = getpid();
    uk_process.level = provided;
    uk_stamps.shared = provided > MPI_THREAD_FUNNELED;
    t->gate = UK_INSIDE; // calls that the following causes are not the user's
    if (!uk_attach(t))
        return;
    uk_process.first = t->ring;
    pthread_atfork(NULL, NULL, after_fork_in_child);
    uk_python_init();
    MPI_Comm world = uk_world(), self = uk_comm_self();
    hello(t, world, required);
    uk_forced_init(t, world);
    maps(t);
    uk_memory_init();
    uk_memory_thread(t);
    uk_sending = uk_process.control->sent;
    uk_emit_consts(t);
    uk_data_comm(t, world);
    uk_data_comm(t, self);
    uk_threads_init();
    uk_threads_attached(t);
    uk_death_init();
    uk_stack_init();
    __atomic_store_n(&uk_process.state, UK_ON, __ATOMIC_RELEASE);
    uk_leave(t);
}

// Hidden calls are made as if they were nested in a call of the program's.
void unknot_hide(int hidden)
{
    struct uk_thread *t = &uk_self;
    if (hidden && t->gate == UK_OPEN) {
        t->gate = UK_INSIDE;
        t->hidden = true;
        uk_call.frame = NULL;
    } else if (!hidden && t->hidden) {
        t->hidden = false;
        uk_leave(t);
    }
}

void uk_finalize_begin(uint64_t site)
{
    struct uk_thread *t = &uk_self, *nobody = NULL;
    if (uk_process.life == UK_ALIVE)
        uk_process.life = UK_ENDING;
    // MPI_Finalize is called once; a Fortran entry point may come here before the C one.
    if (uk_process.state != UK_ON || t->hidden
        || !__atomic_compare_exchange_n(&uk_process.finaliser, &nobody, t, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    if (t->gate == UK_NEW) { // another thread than the one that initialised MPI
        t->gate = UK_INSIDE;
        if (uk_attach(t)) {
            uk_threads_attached(t);
            uk_memory_thread(t);
        }
    }
    if (!t->ring)
        return;
    t->gate = UK_INSIDE;
    uk_call.frame = NULL;
    uk_memory_call(t, UK_FRAME);
    uk_forced_end(t);
    uk_begin(t, uk_id_finalize, UK_ENTER, site, 0);
    uk_commit(t);
    uk_forced_copies_end();
}

void uk_finalize_end(void)
{
    struct uk_thread *t = &uk_self;
    if (uk_process.life == UK_ENDING)
        uk_process.life = UK_PAST;
    if (uk_process.state != UK_ON)
        return;
    __atomic_store_n(&uk_process.state, UK_ASIDE, __ATOMIC_RELEASE);
    if (t->ring)
        uk_returned(t);
    __atomic_store_n(&uk_process.first->death.final, 1, __ATOMIC_RELEASE);
    t->gate = t->rest = UK_OFF;
}

void uk_abort_note(int code, uint64_t site)
{
    struct uk_thread *t = &uk_self;
    static bool noted;
    if (uk_process.state != UK_ON || noted)
        return;
    noted = true;
    if (t->ring) {
        uint64_t *w = uk_begin(t, uk_id_abort, UK_ENTER, site, 2);
        w[0] = UK_H(uk_world());
        w[1] = (uint64_t)(int64_t)code;
        uk_commit(t);
    }
    uk_died(UK_DEATH_ABORT, code, 0, NULL);
}
