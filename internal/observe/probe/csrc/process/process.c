// The life of a watched process: from the end of MPI_Init, or of the first MPI_Session_init, to the end of
// MPI_Finalize, how a call of MPI is entered, and how it is left otherwise than by its return.
//
// Runs: at MPI_Init and MPI_Finalize, before MPI_Abort and at a thread's first call of MPI; uk_enter_slow also in all
// calls that are not recorded; uk_abandon where an exception or a jump leaves a call, the latter perhaps in a signal
// handler; after_fork_in_child in a child, where locks may be held forever.
//
// Never: in uk_enter_slow for a call that is not recorded, or in uk_abandon, locks or allocates: it may be the
// allocator or an error handler of the program's that calls, and a handler may have interrupted anything. In a child it
// maps memory, says that the process is not watched, and does nothing else. Where the session, a ring or a function of
// MPI is not available, the program continues, with the calls passing. What allocates and reads files does so at
// MPI_Init, with the gate not open.
#define _GNU_SOURCE
#include "objects/forced.h"
#include "objects/sent.h"
#include "outside/outside.h"
#include "process/process.h"
#include "writer/lock.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct uk_process uk_process = {.rank = -1};
void *uk_reals[UK_MAX_FUNCS];

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

// Takes the place of a function that the library does not have although its mpi.h declares it. What becomes of the
// program is for its error handler to say.
static int missing(void)
{
    typedef int call_handler(MPI_Comm, int);
    if (uk_process.life == UK_ALIVE && !uk_misfit())
        ASK(MPI_Comm_call_errhandler, call_handler, uk_world(), MPI_ERR_UNSUPPORTED_OPERATION);
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

void *uk_real_slow(unsigned func)
{
    void *f = uk_sym(uk_names[func]);
    if (!f) {
        fprintf(stderr, "unknot: the MPI library has no %s, which its mpi.h declares\n", uk_names[func] + 1);
        f = (void *)missing;
    }
    __atomic_store_n(&uk_reals[func], f, __ATOMIC_RELAXED);
    return f;
}

struct uk_control *uk_map_control(const char *session)
{
    char name[sizeof uk_process.session + sizeof UK_CONTROL_NAME + 1];
    snprintf(name, sizeof name, "%s/%s", session, UK_CONTROL_NAME);
    // Any user can make files of such names on a host that the job has only come to: a pipe would block, a short file
    // is a SIGBUS.
    int fd = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return NULL;
    struct stat file;
    if (fstat(fd, &file) != 0 || !S_ISREG(file.st_mode) || file.st_uid != geteuid() || file.st_size < UK_HEADER_SIZE) {
        close(fd);
        return NULL;
    }
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

// A forked child shares its parent's mappings: it must not write there. One that executes an MPI program starts afresh.
static void after_fork_in_child(void)
{
    uk_process.state = UK_ASIDE;
    uk_process.first = NULL;
    uk_sending = UK_SENT_NOT;
    uk_marks_end();
    if (uk_self.ring)
        uk_step_aside(&uk_self);
    uk_self.gate = uk_self.rest = UK_OFF;
}

// A thread without a ring: what it does, and so what it completes, will not be seen.
static bool unattached(struct uk_thread *t)
{
    t->gate = t->rest = UK_OFF;
    uk_sending = UK_SENT_NOT;
    uk_marks_end();
    return false;
}

bool uk_attach(struct uk_thread *t)
{
    unsigned index = t->index;
    if (uk_process.first && uk_ring_unread(uk_process.first, uk_process.control))
        return unattached(t);
    // A program may call MPI from a second thread at any level, one thread after the other. Should the first thread
    // draw a stamp at this very moment, that stamp is drawn twice, and no harm is done.
    if (uk_process.first)
        __atomic_store_n(&uk_stamps.shared, true, __ATOMIC_SEQ_CST);
    if (index == 0 && uk_process.first)
        index = __atomic_add_fetch(&uk_process.threads, 1, __ATOMIC_RELAXED);
    t->rest = UK_OPEN;
    if (!uk_ring_take(t, uk_process.control, index) &&
        !uk_ring_create(t, uk_process.session, uk_process.control, index)) {
        __atomic_store_n(&uk_process.control->error, (uint32_t)errno, __ATOMIC_RELAXED);
        __atomic_add_fetch(&uk_process.control->failed, 1, __ATOMIC_RELEASE);
        return unattached(t);
    }
    t->ring->stack_ready = uk_process.stacks;
    uk_callers_create(t);
    uk_forced_begin(t);
    return true;
}

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
    uk_call = (struct uk_call){frame, frame[1], t->stamp, func, false};
    uk_enter_owing(t, func);
    return t;
}

void uk_enter_owing(struct uk_thread *t, unsigned func)
{
    if (t->owes && func != uk_id_type_commit)
        uk_again_pay(t);
    if (t->knows_more && !(t->poll.live && func == t->poll.func)) // a poll repeated is not recorded
        uk_order_tell(t);
}

enum { LEAST_TAG = 32767 }; // the standard guarantees that tags may be so large

// Where a process stands: in MPI_COMM_WORLD, or in what takes its place.
struct standing {
    int rank, size, required, provided;
    uint64_t tag_ub;
};

// Where MPI was initialised: in Python that is in mpi4py, which tells nobody anything.
static uint64_t init_site(void)
{
    return uk_process.python ? 0 : uk_process.init_site;
}

static void hello(struct uk_thread *t, const struct standing *s)
{
    int (*ask_version)(char *, int *) = (int (*)(char *, int *))uk_sym("PMPI_Get_library_version");
    int length = 0;
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    uk_process.rank = s->rank;
    ask_version(version, &length);
    uint64_t words[] = {
        [UK_DATA_HELLO_RANK] = (uint64_t)s->rank,           [UK_DATA_HELLO_SIZE] = (uint64_t)s->size,
        [UK_DATA_HELLO_LEVEL] = (uint64_t)uk_process.level, [UK_DATA_HELLO_TAG_UB] = s->tag_ub,
        [UK_DATA_HELLO_PYTHON] = uk_process.python != 0,    [UK_DATA_HELLO_LIBRARY] = (uint64_t)length,
    };
    struct uk_chunk chunks[] = {{words, UK_DATA_HELLO_FIXED, UK_WORDS}, {version, (size_t)length, UK_BYTES}};
    uk_long(t, UK_DATA_HELLO, UK_DATA, 0, chunks, 2);
    uk_data_limits(t, s->required, uk_process.level, s->tag_ub, uk_process.init, init_site());
}

// Tells where executable code stands in memory, as long as it is known: a rank may be gone before anybody looks.
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

// Whether there is somebody who watches.
static bool audience(void)
{
    const char *session = getenv(UK_ENV_SESSION);
    if (!session || strlen(session) >= sizeof uk_process.session)
        return false;
    strcpy(uk_process.session, session);
    uk_process.control = uk_map_control(session);
    if (!uk_process.control && uk_join(session))
        uk_process.control = uk_map_control(session);
    return uk_process.control != NULL;
}

static void comms(struct uk_thread *t, const struct standing *s)
{
    if (uk_worldless) {
        uint64_t *w = uk_begin(t, UK_DATA_SESSIONS, UK_DATA, 0, UK_DATA_SESSIONS_FIXED);
        w[UK_DATA_SESSIONS_ALONE] = 1;
        uk_commit(t);
        uk_data_worldless(t, s->rank, s->size);
        return;
    }
    uk_data_comm(t, uk_world());
    uk_data_comm(t, uk_comm_self());
}

// Makes this process a watched one; its calls are recorded when the state is UK_ON.
static void watch(const struct standing *s)
{
    struct uk_thread *t = &uk_self;
    uk_process.pid = getpid();
    uk_process.level = s->provided;
    uk_stamps.shared = s->provided > MPI_THREAD_FUNNELED;
    t->gate = UK_INSIDE; // calls that the following causes are not the user's
    if (!uk_attach(t))
        return;
    uk_process.first = t->ring;
    pthread_atfork(NULL, NULL, after_fork_in_child);
    uk_python_init();
    hello(t, s);
    Dl_info library;
    if (s->size == 1 && dladdr(uk_sym("PMPI_Get_library_version"), &library))
        uk_alone(uk_process.control, library.dli_fname, UK_ALONE_COUNTED);
    uk_forced_init(t, s->rank, s->size);
    maps(t);
    uk_meet_init(uk_process.session, s->rank);
    uk_memory_init();
    uk_memory_thread(t);
    uk_sent_init(uk_process.control->sent, uk_process.control->slowdown, maps);
    uk_emit_consts(t);
    comms(t, s);
    uk_threads_init();
    uk_threads_attached(t);
    uk_death_init();
    uk_stack_init();
    uk_freed_init();
    uk_outside_init();
    __atomic_store_n(&uk_process.state, UK_ON, __ATOMIC_RELEASE);
    uk_leave(t);
}

// Another thread may begin with MPI at the same moment, if one of the two makes a session. It waits here, as the state
// is UK_IDLE for so long.
static uk_lock_t beginning;

static void begun(void)
{
    if (uk_process.state == UK_IDLE)
        __atomic_store_n(&uk_process.state, UK_ASIDE, __ATOMIC_RELEASE);
    uk_unlock(&beginning);
}

// MPI was initialised in a process that is watched for its sessions: from here on there is a MPI_COMM_WORLD.
static void also_init(int required, int provided)
{
    struct uk_thread *t = &uk_self;
    const MPI_Comm world = uk_world(), self = uk_comm_self();
    if (uk_process.state != UK_ON || !uk_worldless)
        return;
    uk_worldless = false;
    uk_comm_born(&world);
    uk_comm_born(&self);
    __atomic_store_n(&uk_process.first->death.final, 0, __ATOMIC_RELEASE);
    if (t->gate == UK_NEW && t->rest == UK_NEW) {
        t->gate = UK_INSIDE;
        if (!uk_attach(t))
            return;
        uk_threads_attached(t);
        uk_memory_thread(t);
    }
    if (!t->ring)
        return;
    t->gate = UK_INSIDE;
    uint64_t *w = uk_begin(t, UK_DATA_SESSIONS, UK_DATA, 0, UK_DATA_SESSIONS_FIXED);
    w[UK_DATA_SESSIONS_ALONE] = 0;
    uk_commit(t);
    uk_data_limits(t, required, provided, uk_tag_bound(world, LEAST_TAG), uk_process.init, init_site());
    uk_begin(t, uk_id_init, UK_ENTER, 0, 0); // what other threads call from now on comes after it
    uk_commit(t);
    uk_returned(t);
    uk_leave(t);
}

void uk_init_done(int required, int provided)
{
    typedef int number_of(MPI_Comm, int *);
    uk_lock(&beginning);
    if (uk_process.state != UK_IDLE) {
        also_init(required, provided);
    } else if (audience()) {
        struct standing s = {.required = required, .provided = provided, .tag_ub = uk_tag_bound(uk_world(), LEAST_TAG)};
        ASK(MPI_Comm_rank, number_of, uk_world(), &s.rank);
        ASK(MPI_Comm_size, number_of, uk_world(), &s.size);
        watch(&s);
    }
    begun();
}

void uk_watch_sessions(int rank, int size)
{
    // Each session may have a level of thread support of its own, and a later one a higher one.
    const struct standing s = {rank, size, MPI_THREAD_MULTIPLE, MPI_THREAD_MULTIPLE, INT_MAX};
    uk_lock(&beginning);
    if (uk_process.state == UK_IDLE && audience()) {
        uk_worldless = true;
        watch(&s);
    }
    begun();
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
    if (uk_process.state != UK_ON || uk_process.aborted || t->hidden ||
        !__atomic_compare_exchange_n(&uk_process.finaliser, &nobody, t, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    uk_process.finalize_site = uk_process.python ? 0 : site;
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
    uk_again_end(t);
    uk_interactions_tell(t);
    if (t->knows_more)
        uk_order_tell(t);
    uk_begin(t, uk_id_finalize, UK_ENTER, site, 0);
    uk_commit(t);
    uk_forced_copies_end();
}

void uk_finalize_end(void)
{
    struct uk_thread *t = &uk_self;
    if (uk_process.life == UK_ENDING)
        uk_process.life = UK_PAST;
    if (uk_process.state != UK_ON || uk_process.aborted)
        return;
    __atomic_store_n(&uk_process.state, UK_ASIDE, __ATOMIC_RELEASE);
    if (t->ring)
        uk_returned(t);
    __atomic_store_n(&uk_process.first->death.final, 1, __ATOMIC_RELEASE);
    t->gate = t->rest = UK_OFF;
    uk_join_end(uk_process.session, uk_process.control);
}

void uk_abort_note(int code, uint64_t site)
{
    struct uk_thread *t = &uk_self;
    if (uk_process.state != UK_ON || uk_process.aborted)
        return;
    uk_process.aborted = true;
    if (t->ring) {
        uint64_t *w = uk_begin(t, uk_id_abort, UK_ENTER, site, 2);
        w[0] = UK_H(uk_world());
        w[1] = (uint64_t)(int64_t)code;
        uk_commit(t);
    }
    uk_died(UK_DEATH_ABORT, code);
    t->gate = t->rest = UK_OFF;
}
