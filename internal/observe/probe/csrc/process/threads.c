// Threads of the program, as far as MPI calls of several threads depend on one another: who started whom, who waits for
// whose end. Threads are known only while MPI is watched and was initialised for several threads.
//
// Runs: wherever the program starts, joins or detaches a thread; at the beginning and end of each thread that it
// starts; at MPI_Init.
//
// Never: in a child after fork, locks, as the process is not watched there. The lock is held while a thread is started,
// by a function that the program may have replaced: the gate is not open then, so that what this starts itself passes,
// and does not come back here. Without memory, a thread is started unseen. Never changes what the program gets: the
// thread's id, result and error code.
#define _GNU_SOURCE
#include "objects/forced.h"
#include "process/order.h"
#include "writer/lock.h"
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int create_type(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int join_type(pthread_t, void **);
typedef int detach_type(pthread_t);

// C's threads are POSIX threads with other names. Their header is missing in older C libraries, so it is not included.
typedef int create_c_type(pthread_t *, int (*)(void *), void *);
typedef int join_c_type(pthread_t, int *);
UK_API create_c_type thrd_create;
UK_API join_c_type thrd_join;
UK_API detach_type thrd_detach;

// Threads that were started by the program, and neither joined nor detached.
struct known {
    struct known *next;
    pthread_t thread;
    unsigned index;
};
static struct known *all;
static uk_lock_t lock;
static pthread_key_t ended;
static bool ready;

// What a thread shall run: one of the two functions.
struct start {
    void *(*run)(void *);
    int (*run_c)(void *);
    void *arg;
    unsigned index;
    _Atomic uint32_t *place; // where its id is written, see reserve_place
    bool followed;
    struct uk_clock knows; // what its starter knew
};

// The threads that were there before MPI was initialised, other than the one that initialised it.
enum { USERS = sizeof((struct uk_ring_header *)0)->users / sizeof *((struct uk_ring_header *)0)->users };
static uint32_t before[USERS];
static size_t nbefore;

// The C library's function, or that of another library which stands in between.
static void *next(void **kept, const char *name)
{
    void *f = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (!f) {
        f = dlsym(RTLD_NEXT, name);
        __atomic_store_n(kept, f, __ATOMIC_RELAXED);
    }
    return f;
}

static bool watched(void)
{
    return __atomic_load_n(&uk_process.state, __ATOMIC_ACQUIRE) == UK_ON && uk_process.level > MPI_THREAD_FUNNELED;
}

// Says whether what this thread does to another may be of interest. In a call of MPI, or while a thread is being
// started, it is not the program that does it; and the lock may be this thread's.
static bool of_program(void)
{
    return watched() && uk_self.gate != UK_INSIDE;
}

_Static_assert(UK_DATA_THREAD_FIXED == 1 && UK_DATA_JOIN_FIXED == 1, "records of threads that have a word have one");

static void note(struct uk_thread *t, unsigned id, unsigned nwords, uint64_t word, void *ra)
{
    if (UK_UNLIKELY(t->poll.live)) // what follows comes after the polls
        uk_poll_forget(t, false);
    uint64_t *w = uk_begin(t, id, UK_DATA, (uint64_t)(uintptr_t)ra, nwords);
    if (nwords > 0)
        w[0] = word;
    uk_commit(t);
}

// A place for the id of a thread that is about to be started, where the agent can look after the threads that never
// call MPI; NULL if there is no room. It is taken before the thread exists, as that may not run for a while.
static _Atomic uint32_t *reserve_place(void)
{
    struct uk_ring_header *first = uk_process.first;
    for (size_t i = 0; i < USERS; i++) {
        _Atomic uint32_t *place = (_Atomic uint32_t *)&first->users[i];
        uint32_t none = 0;
        if (atomic_compare_exchange_strong(place, &none, UK_STARTING))
            return place;
    }
    __atomic_store_n(&first->users_lost, 1, __ATOMIC_RELEASE);
    return NULL;
}

// Also run when the thread ends by pthread_exit or is cancelled.
static void leave_place(void *place)
{
    if (place && uk_is_ours())
        atomic_store((_Atomic uint32_t *)place, 0);
}

static void thread_ends(void *place)
{
    uk_order_ends();
    leave_place(place);
}

// Both in a separate section, so that stack.c can tell these frames from a wrapper's.
__attribute__((section("uk_trampoline"), noinline)) static void *trampoline(void *arg)
{
    struct start s = *(struct start *)arg;
    free(arg);
    // Whoever starts a thread holds the lock until it has put down the new thread's id, for the program and for itself.
    uk_lock(&lock);
    uk_unlock(&lock);
    uk_self.index = s.index;
    if (s.place)
        atomic_store(s.place, (uint32_t)syscall(SYS_gettid));
    if (s.followed)
        uk_order_begins(s.index, &s.knows);
    void *result;
    pthread_cleanup_push(thread_ends, (void *)s.place);
    result = s.run ? s.run(s.arg) : (void *)(intptr_t)s.run_c(s.arg);
    pthread_cleanup_pop(1);
    return result;
}

__attribute__((section("uk_trampoline"), noinline)) static int trampoline_c(void *arg)
{
    return (int)(intptr_t)trampoline(arg);
}

static void on_end(void *arg)
{
    struct uk_thread *t = arg;
    bool recording =
        uk_is_ours() && t->gate == UK_OPEN && __atomic_load_n(&uk_process.state, __ATOMIC_ACQUIRE) == UK_ON;
    if (recording) {
        uk_forced_end(t);
        uk_again_end(t);
        note(t, UK_DATA_THREAD_END, 0, 0, NULL);
    }
    t->gate = t->rest = UK_OFF;
    uk_python_end();
    uk_callers_leave(t);
    for (size_t i = 0; i < sizeof t->scratch / sizeof *t->scratch; i++)
        free(t->scratch[i].at);
    if (recording && t->ring != uk_process.first && t->mask != 0)
        uk_ring_leave(t);
    t->ring = NULL;
}

// Called before MPI is initialised, because the MPI library starts threads of its own then, which are not the
// program's.
void uk_threads_before_init(void)
{
    static bool done; // a Fortran entry point may come here before the C one
    DIR *tasks = done ? NULL : opendir("/proc/self/task");
    done = true;
    if (!tasks)
        return;
    uint32_t self = (uint32_t)syscall(SYS_gettid);
    for (struct dirent *d; (d = readdir(tasks)) != NULL;) {
        uint32_t tid = (uint32_t)strtoul(d->d_name, NULL, 10);
        if (tid == 0 || tid == self)
            continue;
        if (nbefore < USERS)
            before[nbefore] = tid;
        nbefore++;
    }
    closedir(tasks);
}

// Says that the order of threads is not followed, and why.
static void unfollowed(struct uk_thread *t, const char *by)
{
    const uint64_t length = strlen(by);
    const struct uk_chunk text[] = {{&length, 1, UK_WORDS}, {by, length, UK_BYTES}};
    uk_long(t, UK_DATA_UNFOLLOWED, UK_DATA, 0, text, 2);
}

void uk_threads_init(void)
{
    ready = pthread_key_create(&ended, on_end) == 0;
    struct uk_ring_header *first = uk_process.first;
    if (uk_process.level <= MPI_THREAD_FUNNELED)
        return;
    // These threads do not take their ids away when they end, but the agent sees that they are gone.
    for (size_t i = 0; i < nbefore && i < USERS; i++)
        __atomic_store_n(&first->users[i], before[i], __ATOMIC_RELEASE);
    if (nbefore > USERS)
        __atomic_store_n(&first->users_lost, 1, __ATOMIC_RELEASE);
    const char *by = nbefore > 0 ? "" : uk_order_by();
    if (by)
        unfollowed(&uk_self, by);
    else
        uk_order_init(&uk_self);
}

void uk_threads_attached(struct uk_thread *t)
{
    if (ready)
        pthread_setspecific(ended, t);
}

static int create(pthread_t *thread, const pthread_attr_t *attr, struct start s)
{
    static void *posix, *c;
    if (s.run)
        return ((create_type *)next(&posix, "pthread_create"))(thread, attr, s.run, s.arg);
    return ((create_c_type *)next(&c, "thrd_create"))(thread, s.run_c, s.arg);
}

// Takes a thread out of the list, with the lock held; NULL if it is not in it.
static struct known *take_locked(pthread_t thread)
{
    struct known **p = &all;
    while (*p && !pthread_equal((*p)->thread, thread))
        p = &(*p)->next;
    struct known *k = *p;
    if (k)
        *p = k->next;
    return k;
}

// The index of a thread that is taken out of it, 0 of others.
static unsigned take(pthread_t thread)
{
    uk_lock(&lock);
    struct known *k = take_locked(thread);
    uk_unlock(&lock);
    unsigned index = k ? k->index : 0;
    free(k);
    return index;
}

// A thread that the MPI library starts, of which it is asked whether a call is the program's.
struct of_library {
    void *(*run)(void *);
    void *arg;
};

static void *library_thread(void *arg)
{
    struct of_library s = *(struct of_library *)arg;
    free(arg);
    uk_apart |= UK_APART_LIBRARY;
    return s.run(s.arg);
}

static int create_of_library(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    struct of_library *s = malloc(sizeof *s);
    if (!s)
        return create(thread, attr, (struct start){.run = run, .arg = arg});
    *s = (struct of_library){run, arg};
    const int rc = create(thread, attr, (struct start){.run = library_thread, .arg = s});
    if (rc != 0)
        free(s);
    return rc;
}

// Starts a thread; ra is where the program does so.
static int begin(pthread_t *thread, const pthread_attr_t *attr, struct start given, void *ra)
{
    struct uk_thread *t = &uk_self;
    if (!of_program())
        return create(thread, attr, given);
    struct start *s = malloc(sizeof *s);
    struct known *k = malloc(sizeof *k), *gone = NULL;
    if (!s || !k) {
        free(s);
        free(k);
        return create(thread, attr, given);
    }
    given.index = __atomic_add_fetch(&uk_process.threads, 1, __ATOMIC_RELAXED);
    given.place = reserve_place();
    given.followed = uk_order_followed();
    uk_order_gives_to(&given.knows);
    *s = given;
    if (t->gate == UK_OPEN)
        note(t, UK_DATA_THREAD, UK_DATA_THREAD_FIXED, given.index, ra);
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attr)
        pthread_attr_getdetachstate(attr, &detached);
    // The new thread may free what the id is stored in, or detach itself, as soon as it runs the program's function.
    pthread_t id;
    const unsigned gate = t->gate;
    t->gate = UK_INSIDE;
    uk_call.frame = NULL;
    uk_lock(&lock);
    int rc = create(&id, attr, (struct start){.run = given.run ? trampoline : NULL, .run_c = trampoline_c, .arg = s});
    if (rc == 0) {
        *thread = id;
        // Of a thread that was joined in a way that is not seen here, such as pthread_tryjoin_np.
        gone = take_locked(id);
        if (detached == PTHREAD_CREATE_JOINABLE) {
            *k = (struct known){all, id, given.index};
            all = k;
            k = NULL;
        }
    } else {
        leave_place((void *)given.place);
    }
    uk_unlock(&lock);
    t->gate = gate;
    if (rc != 0)
        free(s);
    free(k);
    free(gone);
    return rc;
}

// Threads that the MPI library starts for itself, while it is initialised, leave the program's memory alone.
static void thread_starts(void)
{
    if (uk_process.life != UK_BEGINNING && !(uk_apart & UK_APART_INIT))
        uk_memory_thread_started();
}

UK_API int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    thread_starts();
    if (UK_UNLIKELY(uk_interactions_ignored()))
        return create_of_library(thread, attr, run, arg);
    return begin(thread, attr, (struct start){.run = run, .arg = arg}, __builtin_return_address(0));
}

int thrd_create(pthread_t *thread, int (*run)(void *), void *arg)
{
    thread_starts();
    return begin(thread, NULL, (struct start){.run_c = run, .arg = arg}, __builtin_return_address(0));
}

// Notes that this thread is about to wait for another's end, and gives its index; 0 if that is of no interest.
static unsigned join_begins(pthread_t thread, void *ra)
{
    unsigned index = of_program() ? take(thread) : 0;
    if (index != 0 && uk_self.gate == UK_OPEN)
        note(&uk_self, UK_DATA_JOIN, UK_DATA_JOIN_FIXED, index, ra);
    return index;
}

static void join_ends(unsigned index)
{
    if (index == 0)
        return;
    uk_order_joined(index);
    if (uk_self.gate == UK_OPEN)
        note(&uk_self, UK_DATA_JOINED, 0, 0, NULL);
}

UK_API int pthread_join(pthread_t thread, void **result)
{
    static void *real;
    const unsigned index = join_begins(thread, __builtin_return_address(0));
    int rc = ((join_type *)next(&real, "pthread_join"))(thread, result);
    join_ends(index);
    return rc;
}

int thrd_join(pthread_t thread, int *result)
{
    static void *real;
    const unsigned index = join_begins(thread, __builtin_return_address(0));
    int rc = ((join_c_type *)next(&real, "thrd_join"))(thread, result);
    join_ends(index);
    return rc;
}

UK_API int pthread_detach(pthread_t thread)
{
    static void *real;
    if (of_program())
        take(thread);
    return ((detach_type *)next(&real, "pthread_detach"))(thread);
}

int thrd_detach(pthread_t thread)
{
    static void *real;
    if (of_program())
        take(thread);
    return ((detach_type *)next(&real, "thrd_detach"))(thread);
}
