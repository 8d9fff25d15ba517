// Where and with which words a process ends: the call stack of the thread that ends it, what the C library or Fortran's
// runtime says of the end, a C++ exception that nobody catches, or that is being handled. What the runtime has written
// to standard error is kept as it is written.
//
// Runs: uk_last_place and uk_last_words in a signal handler, at any instruction, in exit and before MPI_Abort;
// see_output wherever a process writes to standard error or to its launcher by write or writev; uk_last_init at
// MPI_Init.
//
// Never: in the others, allocates, or takes a lock that the thread may have: functions and variables are looked up
// beforehand, the unwinder is loaded (see stack.c). Where a damaged stack or object is read, the fault ends the reading
// and nothing else.
#define _GNU_SOURCE
#include "outside/outside.h"
#include "process/process.h"
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

// What begins with a pointer to its table of functions: std::type_info and its kinds (Itanium C++ ABI, 2.9.5).
struct type {
    void **table;
    const char *name;
    union {
        const struct type *base; // of a class with one base
        struct {
            unsigned flags, n;
            struct {
                const struct type *type;
                long offset; // times 256, and 1 if the base is virtual
            } at[];
        } bases;
    } of;
};

// std::exception_ptr is returned as a class is that is not copied trivially: as a struct that is too large for
// registers.
struct returned {
    void *object;
    void *none[3];
};

static struct {
    const struct type *(*type)(void);
    struct returned (*current)(void);
    void **one_base, **bases;
} cxx;
static char ***message; // the C library's, of an abort: a number, and the text
static bool loaded;
static __thread void **recovers __attribute__((tls_model("initial-exec")));

static void see_output(int file, const struct iovec *piece, int n);

void uk_last_init(void)
{
    void *f = dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
    memcpy(&cxx.type, &f, sizeof f);
    f = dlsym(RTLD_DEFAULT, "_ZSt17current_exceptionv");
    memcpy(&cxx.current, &f, sizeof f);
    cxx.one_base = dlsym(RTLD_DEFAULT, "_ZTVN10__cxxabiv120__si_class_type_infoE");
    cxx.bases = dlsym(RTLD_DEFAULT, "_ZTVN10__cxxabiv121__vmi_class_type_infoE");
    message = dlsym(RTLD_DEFAULT, "__abort_msg");
    void *frames[2];
    backtrace(frames, 2); // loads the unwinder now: it must not be loaded in a handler
    loaded = true;
    const char *manager = getenv("PMI_FD");
    uk_manager = manager ? atoi(manager) : -1;
    uk_on_output = see_output;
}

bool uk_fault_in_probe(void)
{
    if (!recovers)
        return false;
    void **to = recovers;
    recovers = NULL;
    __builtin_longjmp(to, 1);
}

// Runs a function that may run into a fault; if it does, that is all.
static __attribute__((noinline)) void careful(void (*run)(void *), void *arg)
{
    void *here[5];
    sigset_t faults, keep;
    const int error = errno;
    sigemptyset(&faults);
    sigaddset(&faults, SIGSEGV);
    sigaddset(&faults, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &faults, &keep);
    if (__builtin_setjmp(here) == 0) {
        recovers = here;
        run(arg);
    }
    recovers = NULL;
    pthread_sigmask(SIG_SETMASK, &keep, NULL);
    errno = error;
}

struct place {
    void *frames[UK_END_MAX + 16];
    int n;
};

static void unwind(void *to)
{
    struct place *p = to;
    p->n = backtrace(p->frames, (int)(sizeof p->frames / sizeof *p->frames));
}

void uk_last_place(const void *pc, bool always)
{
    static unsigned taken;
    enum { OFTEN = 64 };
    struct uk_ring_header *ring = uk_process.first;
    ring->end_n = 0;
    ring->said_how = UK_SAID_NOTHING;
    if (!loaded || (!always && __atomic_fetch_add(&taken, 1, __ATOMIC_RELAXED) >= OFTEN))
        return;
    struct place p = {.n = 0};
    careful(unwind, &p);
    int from = 0;
    for (int i = 0; i < p.n; i++)
        if (pc ? p.frames[i] == pc : uk_of_probe(p.frames[i]))
            from = pc ? i : i + 1;
    uint32_t n = 0;
    for (int i = from; i < p.n && n < UK_END_MAX; i++)
        ring->end[n++] = (uint64_t)(uintptr_t)p.frames[i];
    ring->end_n = n;
}

static void say(uint32_t how, const char *text, size_t length)
{
    struct uk_ring_header *ring = uk_process.first;
    const size_t most = sizeof ring->said - 1;
    length = length < most ? length : most;
    memcpy(ring->said, text, length);
    ring->said[length] = 0;
    ring->said_how = how;
}

// Where the std::exception in an object is.
static const void *exception_in(const struct type *t, const char *object, int depth)
{
    enum { DEEPEST = 16 };
    if (depth > DEEPEST)
        return NULL;
    if (strcmp(t->name, "St9exception") == 0)
        return object;
    if (cxx.one_base && t->table == cxx.one_base + 2)
        return exception_in(t->of.base, object, depth + 1);
    if (!cxx.bases || t->table != cxx.bases + 2)
        return NULL;
    for (unsigned i = 0; i < t->of.bases.n; i++) {
        long offset = t->of.bases.at[i].offset;
        const char *base = object + (offset >> 8);
        if (offset & 1)
            base = object + *(const long *)(*(const char *const *)object + (offset >> 8));
        const void *found = exception_in(t->of.bases.at[i].type, base, depth + 1);
        if (found)
            return found;
    }
    return NULL;
}

static void say_exception(void *unused)
{
    (void)unused;
    const struct type *t = cxx.type();
    if (!t)
        return;
    char text[UK_SAID_MAX];
    const char *name = t->name + (t->name[0] == '*'), *what = NULL;
    size_t n = strnlen(name, sizeof text / 2);
    memcpy(text, name, n);
    text[n++] = 0;
    say(UK_SAID_EXCEPTION, text, n);
    void *object = cxx.current ? cxx.current().object : NULL;
    if (object && strcmp(t->name, "PKc") == 0)
        what = *(const char **)object;
    const void *e = object ? exception_in(t, object, 0) : NULL;
    if (e) {
        typedef const char *what_type(const void *);
        what = (*(what_type ***)e)[2](e);
    }
    size_t length = what ? strnlen(what, sizeof text - n) : 0;
    if (length > 0)
        memcpy(text + n, what, length);
    say(UK_SAID_EXCEPTION, text, n + length);
}

static void say_message(void *unused)
{
    (void)unused;
    const char *text = (char *)*message + sizeof(unsigned);
    say(UK_SAID_MESSAGE, text, strnlen(text, UK_SAID_MAX));
}

// The last sentence of Fortran's runtime.
static char words[UK_SAID_MAX];
static size_t nwords;
static bool listens;

static void keep_words(const struct iovec *piece, int n)
{
    static const char *const begin[] = {"Fortran runtime error: ", "ERROR STOP", "STOP"};
    for (int i = 0; i < n; i++) {
        const char *text = piece[i].iov_base, *at = NULL, *behind = text + piece[i].iov_len;
        for (size_t k = 0; !at && k < sizeof begin / sizeof *begin; k++)
            at = memmem(text, piece[i].iov_len, begin[k], strlen(begin[k]));
        if (at) {
            nwords = 0;
            listens = true;
            text = at;
        }
        if (!listens)
            continue;
        const char *end = memchr(text, '\n', (size_t)(behind - text));
        size_t length = (size_t)((end ? end : behind) - text);
        size_t have = nwords, room = sizeof words - (have < sizeof words ? have : sizeof words);
        length = length < room ? length : room;
        memcpy(words + have, text, length);
        nwords = have + length;
        listens = !end;
    }
}

static void see_output(int file, const struct iovec *piece, int n)
{
    if (file == STDERR_FILENO)
        keep_words(piece, n);
    if (file == uk_manager && n == 1)
        uk_gives_up(piece->iov_base, piece->iov_len);
}

void uk_last_words(unsigned cause)
{
    if (cause != UK_DEATH_SIGNAL)
        uk_last_place(NULL, true);
    if (cause == UK_DEATH_SIGNAL && message && *message)
        careful(say_message, NULL);
    else if (cause == UK_DEATH_EXIT && nwords > 0)
        say(UK_SAID_RUNTIME, words, nwords);
    else if (cxx.type)
        careful(say_exception, NULL);
}
