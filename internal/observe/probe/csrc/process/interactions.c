// How the process interacts with others by means other than MPI: which files it reads, finds missing and changes,
// whether it communicates with other processes, and whether it asks for the time or for random numbers. An exploration
// needs this before it says what all runs of the program do. The explorer has it of all ranks and decides what follows.
// Each interaction is noted once, from the start of the process, and recorded at MPI_Finalize. Nothing is claimed about
// a program that does not reach MPI_Finalize.
//
// Runs: in the runs of an exploration, wherever the program calls a function of outside/outside.c or of clocks.c, on
// every thread and in signal handlers; records at MPI_Finalize. Calls of the MPI library and of its threads are
// ignored.
//
// Never: locks, allocates or sets errno; notes in a child after fork. If there is no room left, a record says that
// something is missing.
#define _GNU_SOURCE
#include "outside/clocks.h"
#include "outside/outside.h"
#include "process/process.h"
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

__thread unsigned uk_apart __attribute__((tls_model("initial-exec")));

// Notes, one after the other, and which there are.
struct note {
    uint32_t size; // 0 as long as it is not whole
    uint32_t kind, changed;
    const char *name;
    uint64_t site, dev, ino;
    char path[];
};
enum { ROOM = 1 << 20, KEYS = 1 << 13 };
static _Alignas(8) char notes[ROOM];
static size_t used;
static uint64_t keys[KEYS];
static unsigned nkeys;
static bool full;

// Open files of which it is known that they are read or written.
enum { FILES = 1024 };
static unsigned char known[FILES];

static long long run_began;  // in nanoseconds of the wall clock
static bool others_clocks;   // the program sees them
static bool forked;          // this is a child of the process
static bool own_input;       // the program has opened what is its standard input now
static uintptr_t program[2]; // where the program's own code is

static bool of_program(void)
{
    return uk_self.gate != UK_INSIDE && uk_apart == 0 && !forked;
}

bool uk_interactions_ignored(void)
{
    return uk_on_interaction && !of_program();
}

// What is known of a file: a number that only this file has, also of those that are made when it is gone, when that is
// known.
struct known_file {
    unsigned mode, type[2]; // of a device, its numbers
    uint64_t dev, ino;
    bool changed; // since the run was begun
};

static bool look(int dir, const char *path, int flags, struct known_file *f)
{
    struct statx s;
    if (syscall(SYS_statx, dir, path, flags, STATX_BASIC_STATS | STATX_BTIME, &s) != 0)
        return false;
    *f = (struct known_file){s.stx_mode,
                             {s.stx_rdev_major, s.stx_rdev_minor},
                             (uint64_t)s.stx_dev_major << 32 | s.stx_dev_minor,
                             s.stx_ino,
                             s.stx_ctime.tv_sec * 1000000000 + s.stx_ctime.tv_nsec >= run_began};
    if (s.stx_mask & STATX_BTIME)
        f->ino ^= ((uint64_t)s.stx_btime.tv_sec * 1000000000 + s.stx_btime.tv_nsec) * 0x9e3779b97f4a7c15;
    return true;
}

static bool look_at(int f, struct known_file *is)
{
    return look(f, "", AT_EMPTY_PATH, is);
}

// Says whether something is new.
static bool fresh(uint64_t kind, uint64_t a, uint64_t b, const char *text)
{
    uint64_t h = 0xcbf29ce484222325;
    const uint64_t words[] = {kind, a, b};
    for (size_t i = 0; i < sizeof words; i++)
        h = (h ^ ((const unsigned char *)words)[i]) * 0x100000001b3;
    for (const char *p = text; p && *p; p++)
        h = (h ^ (unsigned char)*p) * 0x100000001b3;
    h |= 1;
    for (size_t i = h >> 20 & (KEYS - 1);; i = (i + 1) & (KEYS - 1)) {
        uint64_t none = 0;
        if (__atomic_load_n(&keys[i], __ATOMIC_RELAXED) == h)
            return false;
        if (__atomic_load_n(&nkeys, __ATOMIC_RELAXED) > KEYS / 4 * 3) {
            full = true;
            return false;
        }
        if (__atomic_compare_exchange_n(&keys[i], &none, h, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            __atomic_add_fetch(&nkeys, 1, __ATOMIC_RELAXED);
            return true;
        }
        if (none == h)
            return false;
    }
}

// Where the program's own code has led to a call: what lies between is the libraries of its language.
static uint64_t site_of(void *ra)
{
    void *frames[24];
    if (!uk_process.stacks) // the unwinder is not loaded
        return (uint64_t)(uintptr_t)ra;
    const int n = backtrace(frames, sizeof frames / sizeof *frames);
    for (int i = 0; i < n; i++)
        if ((uintptr_t)frames[i] >= program[0] && (uintptr_t)frames[i] < program[1])
            return (uint64_t)(uintptr_t)frames[i];
    return (uint64_t)(uintptr_t)ra;
}

static void put(unsigned kind, const struct uk_interaction *s, bool changed, uint64_t dev, uint64_t ino,
                const char *path)
{
    const size_t length = strlen(path), size = (sizeof(struct note) + length + 1 + 7) / 8 * 8;
    const size_t at = __atomic_fetch_add(&used, size, __ATOMIC_RELAXED);
    if (at + size > ROOM) {
        full = true;
        return;
    }
    struct note *n = (struct note *)(notes + at);
    n->kind = kind;
    n->changed = changed;
    n->name = s->name;
    n->site = site_of(s->site);
    n->dev = dev;
    n->ino = ino;
    memcpy(n->path, path, length + 1);
    __atomic_store_n(&n->size, (uint32_t)size, __ATOMIC_RELEASE);
}

// It is asked for: noted once.
static void asked_for(unsigned kind, const char *name, void *site)
{
    static bool asked[2];
    bool *const before = &asked[kind == UK_INTERACTION_RANDOM];
    if (UK_LIKELY(__atomic_load_n(before, __ATOMIC_RELAXED)) || __atomic_exchange_n(before, true, __ATOMIC_RELAXED))
        return;
    const struct uk_interaction s = {.name = name, .site = site};
    const int keep = errno;
    const unsigned apart = uk_apart;
    uk_apart |= UK_APART_NOTES;
    put(kind, &s, others_clocks, 0, 0, "");
    uk_apart = apart;
    errno = keep;
}

static bool asks(enum uk_asked what, const char *name, void *site)
{
    if (!of_program())
        return false;
    if (what != UK_WAITS)
        asked_for(what == UK_ASKS_TIME ? UK_INTERACTION_TIME : UK_INTERACTION_RANDOM, name, site);
    return true;
}

// What belongs to the system, and does not tell of the job: what the kernel makes up, and what is installed, unless it
// changes.
static bool of_system(const char *path, bool changed)
{
    static const char *const made_up[] = {"/proc/", "/sys/", "/dev/"}, *const installed[] = {"/etc/", "/usr/", "/lib",
                                                                                             "/bin/", "/sbin/"};
    if (strncmp(path, "/dev/shm/", 9) == 0)
        return uk_process.session[0] && strncmp(path, uk_process.session, strlen(uk_process.session)) == 0;
    for (size_t i = 0; i < sizeof made_up / sizeof *made_up; i++)
        if (strncmp(path, made_up[i], strlen(made_up[i])) == 0)
            return true;
    for (size_t i = 0; !changed && i < sizeof installed / sizeof *installed; i++)
        if (strncmp(path, installed[i], strlen(installed[i])) == 0)
            return true;
    return false;
}

static bool link_of(int f, char *to, size_t room)
{
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", f);
    const long n = syscall(SYS_readlinkat, AT_FDCWD, name, to, room - 1);
    to[n > 0 ? n : 0] = 0;
    return n > 0;
}

// The name by which all know a path: that of its directory without links, and its last part.
static const char *whole(int dir, const char *path, char *to, size_t room)
{
    char parent[UK_INTERACTION_PATH];
    const char *last = strrchr(path, '/');
    last = last ? last + 1 : path;
    const size_t n = (size_t)(last - path);
    if (n >= sizeof parent)
        return path;
    memcpy(parent, path, n);
    strcpy(parent + n, n == 0 ? "." : "");
    const int f = (int)syscall(SYS_openat, dir, parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (f < 0)
        return path;
    const bool known = link_of(f, to, room - 1);
    syscall(SYS_close, f);
    const size_t have = strlen(to);
    if (!known || have + strlen(last) + 2 > room)
        return path;
    sprintf(to + have, "%s%s", have > 1 ? "/" : "", last);
    return to;
}

// A file that is looked at or changed, by whatever name.
static void file(unsigned kind, const struct uk_interaction *s, const struct known_file *is, int dir, const char *path)
{
    if (!fresh(kind, is->dev * 2 + is->changed, is->ino, NULL))
        return;
    char room[UK_INTERACTION_PATH];
    const char *name = path ? whole(dir, path, room, sizeof room) : link_of(s->f, room, sizeof room) ? room : "";
    if (!of_system(name, is->changed || kind == UK_INTERACTION_WROTE))
        put(S_ISDIR(is->mode) ? kind | UK_INTERACTION_DIR : kind, s, is->changed, is->dev, is->ino, name);
}

static void of_process(const struct uk_interaction *s)
{
    if (fresh(UK_INTERACTION_PROCESS, (uintptr_t)s->site, 0, s->name))
        put(UK_INTERACTION_PROCESS, s, false, 0, 0, "");
}

static bool is_known(int f, unsigned kind)
{
    return f >= 0 && f < FILES && (__atomic_load_n(&known[f], __ATOMIC_RELAXED) & 1u << kind) != 0;
}

// An open file, or something else that is open.
static void open_file(unsigned kind, const struct uk_interaction *s)
{
    struct known_file is;
    if (s->f < 0 || (s->f == 0 && !own_input)) // what the launcher gives a rank to read is input
        return;
    if (is_known(s->f, kind) || !look_at(s->f, &is))
        return;
    if (s->f < FILES)
        __atomic_fetch_or(&known[s->f], (unsigned char)(1u << kind), __ATOMIC_RELAXED);
    if (S_ISREG(is.mode) || S_ISDIR(is.mode))
        file(kind, s, &is, 0, NULL);
    else if (S_ISCHR(is.mode)) {
        if (kind == UK_INTERACTION_READ && is.type[0] == 1 && (is.type[1] == 8 || is.type[1] == 9))
            asked_for(UK_INTERACTION_RANDOM, s->name, s->site);
    } else if (kind == UK_INTERACTION_READ)
        of_process(s);
}

static void lacks(const struct uk_interaction *s)
{
    char room[UK_INTERACTION_PATH];
    const char *name = whole(s->dir, s->path, room, sizeof room);
    if (!of_system(name, false) && fresh(UK_INTERACTION_MISSING, 0, 0, name))
        put(UK_INTERACTION_MISSING, s, false, 0, 0, name);
}

static void asked(const struct uk_interaction *s)
{
    struct known_file is;
    if (!s->path)
        return;
    if (s->missing)
        lacks(s);
    else if (s->path[0] && look(s->dir, s->path, 0, &is))
        file(UK_INTERACTION_READ, s, &is, s->dir, s->path);
}

static void made(const struct uk_interaction *s)
{
    struct known_file is;
    char room[UK_INTERACTION_PATH];
    if (!s->path || s->missing)
        return;
    const bool there = look(s->dir, s->path, AT_SYMLINK_NOFOLLOW, &is);
    const char *name = whole(s->dir, s->path, room, sizeof room);
    if (!of_system(name, true) && fresh(UK_INTERACTION_WROTE, there ? is.dev : 0, there ? is.ino : 0, name))
        put(UK_INTERACTION_WROTE, s, true, there ? is.dev : 0, there ? is.ino : 0, name);
}

static void opened(const struct uk_interaction *s)
{
    struct known_file is;
    if (s->f < 0) {
        if (s->missing || (s->flags & O_EXCL))
            asked(s);
        return;
    }
    if (s->f < FILES)
        __atomic_store_n(&known[s->f], 0, __ATOMIC_RELAXED);
    if (s->f == 0)
        own_input = true;
    if ((s->flags & O_PATH) || !look_at(s->f, &is))
        return;
    const int how = s->flags & O_ACCMODE;
    if (!S_ISREG(is.mode) || how == O_RDONLY)
        open_file(UK_INTERACTION_READ, s);
    else if ((s->flags & (O_CREAT | O_TRUNC | O_APPEND)) && (is.changed || (s->flags & O_APPEND)))
        open_file(UK_INTERACTION_WROTE, s);
    if ((s->flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL) && s->path)
        lacks(s);
}

// What is in a file of shared memory, or of a name for a semaphore.
static void named(const struct uk_interaction *s)
{
    char path[UK_INTERACTION_PATH];
    struct known_file is;
    snprintf(path, sizeof path, "/dev/shm/sem.%s", s->path && s->path[0] == '/' ? s->path + 1 : s->path ? s->path : "");
    if (!look(AT_FDCWD, path, 0, &is))
        return;
    file(UK_INTERACTION_READ, s, &is, AT_FDCWD, path);
    file(UK_INTERACTION_WROTE, s, &is, AT_FDCWD, path);
}

static void noted(const struct uk_interaction *s)
{
    const unsigned kind = s->how == UK_HOW_READ ? UK_INTERACTION_READ : UK_INTERACTION_WROTE;
    // Soon, as programs may read each character by a call.
    if ((s->how == UK_HOW_READ || s->how == UK_HOW_WROTE) && is_known(s->f, kind))
        return;
    if (!of_program())
        return;
    const int keep = errno;
    uk_apart |= UK_APART_NOTES; // what is asked here is not the program's
    switch (s->how) {
    case UK_HOW_PROCESS:
        of_process(s);
        break;
    case UK_HOW_ASKED:
        asked(s);
        break;
    case UK_HOW_OPENED:
        opened(s);
        break;
    case UK_HOW_READ:
        open_file(UK_INTERACTION_READ, s);
        break;
    case UK_HOW_WROTE:
        open_file(UK_INTERACTION_WROTE, s);
        break;
    case UK_HOW_SHARED:
        open_file(UK_INTERACTION_READ, s);
        open_file(UK_INTERACTION_WROTE, s);
        break;
    case UK_HOW_MADE:
        made(s);
        break;
    case UK_HOW_NAMED:
        named(s);
        break;
    case UK_HOW_CLOSED:
        if (s->f >= 0 && s->f < FILES)
            __atomic_store_n(&known[s->f], 0, __ATOMIC_RELAXED);
        break;
    }
    uk_apart &= ~(unsigned)UK_APART_NOTES;
    errno = keep;
}

static void tell(struct uk_thread *t, uint64_t kind, const struct note *n)
{
    const uint64_t name = strlen(n->name), length = strlen(n->path);
    const uint64_t words[] = {
        [UK_DATA_INTERACTION_KIND] = kind,    [UK_DATA_INTERACTION_CHANGED] = n->changed,
        [UK_DATA_INTERACTION_DEV] = n->dev,   [UK_DATA_INTERACTION_INO] = n->ino,
        [UK_DATA_INTERACTION_SITE] = n->site, [UK_DATA_INTERACTION_FUNC] = name,
    };
    struct uk_chunk chunks[] = {{words, UK_DATA_INTERACTION_FIXED, UK_WORDS},
                                {n->name, name, UK_BYTES},
                                {&length, 1, UK_WORDS},
                                {n->path, length, UK_BYTES}};
    uk_long(t, UK_DATA_INTERACTION, UK_DATA, 0, chunks, 4);
}

void uk_interactions_tell(struct uk_thread *t)
{
    if (!uk_on_interaction)
        return;
    if (UK_UNLIKELY(t->poll.live)) // what follows comes after the polls
        uk_poll_forget(t, false);
    const size_t end = used < ROOM ? used : ROOM;
    for (size_t at = 0; at < end;) {
        const struct note *n = (const struct note *)(notes + at);
        const uint32_t size = __atomic_load_n(&n->size, __ATOMIC_ACQUIRE);
        if (size == 0) { // another thread has not finished it
            full = true;
            break;
        }
        tell(t, n->kind, n);
        at += size;
    }
    static const struct note missing = {.name = ""};
    if (full)
        tell(t, UK_INTERACTION_FULL, &missing);
}

static int first_object(struct dl_phdr_info *o, size_t size, void *none)
{
    (void)size;
    (void)none;
    for (int i = 0; i < o->dlpi_phnum; i++)
        if (o->dlpi_phdr[i].p_type == PT_LOAD && (o->dlpi_phdr[i].p_flags & PF_X)) {
            program[0] = o->dlpi_addr + o->dlpi_phdr[i].p_vaddr;
            program[1] = program[0] + o->dlpi_phdr[i].p_memsz;
        }
    return 1;
}

static void in_child(void)
{
    forked = true;
}

// Whether this is a rank of the job and not its launcher, which gives ranks their numbers by these.
static bool of_job(void)
{
    static const char *const names[] = {"PMI_RANK", "PMIX_RANK",       "OMPI_COMM_WORLD_RANK",
                                        "PMI_ID",   "MPI_LOCALRANKID", "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

// The variable has the moment at which the run was begun, in nanoseconds, and the number of other clocks that the
// program shall see.
__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv(UK_ENV_HEED), *session = getenv(UK_ENV_SESSION);
    char name[UK_INTERACTION_PATH] = "";
    unsigned other = 0;
    if (!text || sscanf(text, "%lld:%u", &run_began, &other) < 1)
        return;
    pthread_atfork(NULL, NULL, in_child);
    dl_iterate_phdr(first_object, NULL);
    if (session && snprintf(name, sizeof name, "%s/%s", session, UK_CLOCK_NAME) >= (int)sizeof name)
        session = NULL;
    others_clocks = other > 0 && of_job();
    if (others_clocks)
        uk_clocks_begin(other, session ? name : NULL, run_began);
    uk_asks = asks;
    uk_on_interaction = noted;
}
