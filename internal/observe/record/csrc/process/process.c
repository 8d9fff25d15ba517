// The life of a recorded process: its memory, the slots of its threads, and how a call is entered that is not the usual
// one.
//
// Runs: at MPI_Init and MPI_Finalize, at a thread's first call of MPI and when it ends; uk_enter_slow also in all calls
// that are not recorded; after_fork_in_child in a child, where locks may be held forever.
//
// Never: in uk_enter_slow for a call that is not recorded, locks or allocates. Where there is no memory, or the library
// is another one than the recorder was built for, calls pass, and the program continues. A child writes nothing that
// its parent's readers see.
#define _GNU_SOURCE
#include "process/process.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct uk_state_thread uk_closed[2] = {
    [UK_SLOT_NEW] = {.word = UK_STATE_FUNC}, [UK_SLOT_OFF] = {.word = UK_STATE_FUNC}};
__thread struct uk_recorder uk_recorder __attribute__((tls_model("initial-exec"))) = {.slot = &uk_closed[UK_SLOT_NEW]};
void *uk_reals[UK_MAX_FUNCS];
struct uk_state_memory uk_memory __attribute__((aligned(UK_PAGE)));
_Static_assert(sizeof uk_memory % UK_PAGE == 0, "what is mapped is nothing else's");
bool uk_several;
unsigned uk_wild;
uint64_t uk_no_request, uk_complete[2];
int uk_turn;

enum { IDLE, BEGINNING, ON, OFF };
static int state;
static int memory = -1; // the descriptor
static bool created;    // others may read the record
static pthread_key_t ends;
static bool has_ends;

static int missing(void)
{
    return MPI_ERR_OTHER;
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

void *uk_real_fortran(const char *name)
{
    void *f = dlsym(RTLD_NEXT, name);
    return f ? f : uk_sym(name);
}

void uk_wait_for_turn(void)
{
    for (unsigned tries = 1; __atomic_exchange_n(&uk_turn, 1, __ATOMIC_ACQUIRE); tries++)
        if (tries % 64 == 0)
            sched_yield();
}

void *uk_fortran_caller(struct uk_recorder *t, void **frame, void *ra)
{
#if defined __x86_64__
    if (t->fortran_slot > frame && *t->fortran_slot == t->fortran_ra) {
        t->ra = frame[1];
        return t->fortran_ra;
    }
#else
    t->ra = frame[1];
    for (void **next = *frame; next > frame && next < t->fortran_slot; frame = next, next = *frame)
        if (next[1] == t->fortran_ra)
            return t->fortran_ra;
#endif
    t->fortran_slot = NULL;
    return ra;
}

// The descriptor of new memory. A number that is high keeps clear of those that programs expect to get.
static int open_memory(bool *file)
{
    char path[PATH_MAX];
    const char *dir = getenv(UK_STATE_ENV);
    int fd = -1;
    if (dir && *dir && snprintf(path, sizeof path, "%s/%s-%d", dir, UK_STATE_FILE, (int)getpid()) < (int)sizeof path)
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    *file = fd >= 0;
    if (fd >= 0)
        return fd;
    fd = (int)syscall(SYS_memfd_create, UK_STATE_FILE, 1U); // MFD_CLOEXEC, which old headers do not have
    struct rlimit most;
    if (fd >= 0 && getrlimit(RLIMIT_NOFILE, &most) == 0) {
        int high = fcntl(fd, F_DUPFD_CLOEXEC, most.rlim_cur > 1024 ? 1000 : (int)most.rlim_cur * 3 / 4);
        if (high >= 0) {
            close(fd);
            fd = high;
        }
    }
    return fd;
}

static bool create(void)
{
    bool file = false;
    const int fd = open_memory(&file);
    if (fd < 0)
        return false;
    const size_t size = sizeof(struct uk_state_memory);
    // Memory that is not there would be a SIGBUS later.
    struct uk_state_memory *m =
        fallocate(fd, 0, 0, (off_t)size) == 0 || (errno == EOPNOTSUPP && posix_fallocate(fd, 0, (off_t)size) == 0)
            ? mmap(uk_state, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0)
            : MAP_FAILED;
    if (m == MAP_FAILED || file) // a file is found by its name
        close(fd);
    else
        memory = fd;
    if (m == MAP_FAILED)
        return false;
    m->header.version = UK_STATE_VERSION;
    m->header.size = (uint32_t)size;
    m->header.pid = getpid();
    m->header.state = UK_STATE_BEGINNING;
    m->header.rank = -1;
    created = true;
    __atomic_store_n(&m->header.magic, UK_STATE_MAGIC, __ATOMIC_RELEASE);
    return true;
}

// The child has its own copy of all that the parent's calls may still point to.
static void after_fork_in_child(void)
{
    __atomic_store_n(&state, OFF, __ATOMIC_RELAXED);
    uk_recorder.slot = &uk_closed[UK_SLOT_OFF];
    if (!created)
        return;
    const int keep = errno;
    // Should that fail, no call is recorded either, but that in which the process has forked writes its end.
    (void)mmap(uk_state, sizeof *uk_state, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory >= 0)
        close(memory);
    memory = -1;
    errno = keep;
}

static void thread_ends(void *slot)
{
    struct uk_recorder *t = &uk_recorder;
    struct uk_state_thread *s = slot;
    if (t->slot != s)
        return;
    t->slot = &uk_closed[UK_SLOT_OFF];
    uk_leave(s);
    free(t->more);
    free(t->statuses);
    __atomic_store_n(&s->tid, 0, __ATOMIC_RELEASE);
}

// Gives the thread a slot.
static bool attach(struct uk_recorder *t)
{
    const int tid = (int)syscall(SYS_gettid);
    for (unsigned i = 0; i < UK_STATE_THREADS; i++) {
        struct uk_state_thread *s = &uk_state->threads[i];
        int free = 0;
        if (!__atomic_compare_exchange_n(&s->tid, &free, tid, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            continue;
        s->stamp = i << 24; // beside the function in the ring of calls
        t->slot = s;
        t->index = i;
        t->comm = 0;
        if (has_ends)
            pthread_setspecific(ends, s);
        return true;
    }
    uk_lost(UK_STATE_LOST_THREADS);
    t->slot = &uk_closed[UK_SLOT_OFF];
    return false;
}

// A call is nested in another one if its frame is inside of the other's, and the other's is still there.
static bool nested(const struct uk_recorder *t, void **frame)
{
    return frame < t->frame && (t->frame[1] == t->ra || t->frame[1] == (void *)(uintptr_t)t->slot->site);
}

void uk_failed(struct uk_state_thread *s, int rc)
{
    struct uk_state_call *e = &uk_state->calls[s->order % UK_STATE_CALLS];
    if (e->func == (s->word & UK_STATE_FUNC) && e->thread == uk_recorder.index)
        e->result = (uint8_t)(rc >= 0 && rc < UK_STATE_OTHER ? rc : UK_STATE_OTHER);
}

struct uk_state_thread *uk_enter_slow(void **frame, void *ra)
{
    struct uk_recorder *t = &uk_recorder;
    if (t->slot == &uk_closed[UK_SLOT_OFF])
        return NULL;
    if (t->slot != &uk_closed[UK_SLOT_NEW]) {
        if (!t->frame || nested(t, frame))
            return NULL;
        uk_failed(t->slot, UK_STATE_OTHER);
        uk_leave(t->slot);
        return uk_enter(frame, ra);
    }
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != ON)
        return NULL;
    const int keep = errno;
    const bool attached = attach(t);
    errno = keep;
    return attached ? uk_enter(frame, ra) : NULL;
}

// Before MPI is initialised: the thread is in a call that may not return.
static struct uk_state_thread *begins(unsigned func, void **frame, void *ra)
{
    struct uk_recorder *t = &uk_recorder;
    const char *path;
    if (t->slot != &uk_closed[UK_SLOT_NEW] || state != IDLE)
        return NULL;
    const int keep = errno;
    state = BEGINNING;
    has_ends = pthread_key_create(&ends, thread_ends) == 0;
    if (!uk_library_fits(false, &path) || pthread_atfork(NULL, NULL, after_fork_in_child) != 0 || !create() ||
        !attach(t)) {
        state = OFF;
        t->slot = &uk_closed[UK_SLOT_OFF];
        errno = keep;
        return NULL;
    }
    errno = keep;
    struct uk_state_thread *s = uk_enter(frame, ra);
    if (s)
        uk_entered(s, func);
    return s;
}

// Two sends, or receives, with nobody that the library completes at once: whether they have the same request.
static uint64_t complete_at_once(bool receive)
{
    typedef int start(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    typedef int wait(MPI_Request *, MPI_Status *);
    start *f = (start *)uk_sym(receive ? "PMPI_Irecv" : "PMPI_Isend");
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int i = 0; i < 2; i++)
        if (!f || f(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &r[i]) != MPI_SUCCESS)
            r[i] = MPI_REQUEST_NULL;
    const uint64_t handle = r[0] == r[1] && r[0] != MPI_REQUEST_NULL ? UK_H(r[0]) : 0;
    for (int i = 0; i < 2; i++)
        ASK(MPI_Wait, wait, &r[i], MPI_STATUS_IGNORE);
    return handle;
}

// Notes where code lies: who reads the record later may find no process to ask. The program comes first.
static void note_modules(void)
{
    struct uk_state_header *h = &uk_state->header;
    char line[PATH_MAX + 128];
    size_t used = 0;
    FILE *maps = fopen("/proc/self/maps", "re");
    while (maps && fgets(line, sizeof line, maps)) {
        const size_t n = strlen(line);
        if (!strstr(line, " r-xp ") || !strchr(line, '/') || used + n >= sizeof h->modules)
            continue;
        memcpy((char *)h->modules + used, line, n);
        used += n;
    }
    if (maps)
        fclose(maps);
}

static void introduce(void)
{
    typedef int number_of(MPI_Comm, int *);
    typedef int level_of(int *);
    typedef int version_of(char *, int *);
    struct uk_state_header *h = &uk_state->header;
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0, level = MPI_THREAD_MULTIPLE, rank = -1, ranks = 0;
    ASK(MPI_Query_thread, level_of, &level);
    ASK(MPI_Get_library_version, version_of, version, &length);
    ASK(MPI_Comm_rank, number_of, MPI_COMM_WORLD, &rank);
    ASK(MPI_Comm_size, number_of, MPI_COMM_WORLD, &ranks);
    snprintf((char *)h->library, sizeof h->library, "%.*s", (int)sizeof h->library - 1, version);
    note_modules();
    h->level = level;
    h->any_source = MPI_ANY_SOURCE;
    h->any_tag = MPI_ANY_TAG;
    h->proc_null = MPI_PROC_NULL;
    h->root = MPI_ROOT;
    h->world = UK_H(MPI_COMM_WORLD);
    h->self = UK_H(MPI_COMM_SELF);
    h->no_request = uk_no_request = UK_H(MPI_REQUEST_NULL);
    for (int i = 0; i < 2; i++)
        h->complete[i] = uk_complete[i] = complete_at_once(i == 1);
    uk_several = level == MPI_THREAD_MULTIPLE;
    h->rank = rank;
    h->ranks = ranks;
    uk_comms_begin();
    __atomic_store_n(&h->state, UK_STATE_ALIVE, __ATOMIC_RELEASE);
}

// MPI is initialised, or that has failed.
static void begun(struct uk_state_thread *s, int rc)
{
    const char *path;
    if (!s)
        return;
    const bool on = rc == MPI_SUCCESS && uk_library_fits(true, &path);
    if (on) {
        const int keep = errno;
        introduce();
        errno = keep;
    }
    __atomic_store_n(&state, on ? ON : OFF, __ATOMIC_RELEASE);
    uk_leave(s);
    if (!on)
        uk_recorder.slot = &uk_closed[UK_SLOT_OFF];
}

int MPI_Init(int *argc, char ***argv)
{
    typedef int real(int *, char ***);
    struct uk_state_thread *s = begins(UK_ID_INIT, UK_FRAME, __builtin_return_address(0));
    const int rc = ((real *)uk_real(UK_ID_INIT))(argc, argv);
    begun(s, rc);
    return rc;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    typedef int real(int *, char ***, int, int *);
    struct uk_state_thread *s = begins(UK_ID_INIT_THREAD, UK_FRAME, __builtin_return_address(0));
    const int rc = ((real *)uk_real(UK_ID_INIT_THREAD))(argc, argv, required, provided);
    begun(s, rc);
    return rc;
}

int MPI_Finalize(void)
{
    typedef int real(void);
    struct uk_state_thread *s = uk_enter(UK_FRAME, __builtin_return_address(0));
    if (!s)
        return ((real *)uk_real(UK_ID_FINALIZE))();
    uk_note(s, UK_ID_FINALIZE, 0, 0, NULL, 0);
    uk_entered(s, UK_ID_FINALIZE);
    const int rc = ((real *)uk_real(UK_ID_FINALIZE))();
    if (rc == MPI_SUCCESS)
        __atomic_store_n(&uk_state->header.state, UK_STATE_ENDED, __ATOMIC_RELEASE);
    uk_leave(s);
    return rc;
}
