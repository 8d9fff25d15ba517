// Threads of the program, as far as MPI calls of several threads depend on one another: who started whom, who waits for
// whose end. Does nothing unless MPI is watched and was initialised for several threads.
#define _GNU_SOURCE
#include "rt.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef int create_type(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int join_type(pthread_t, void **);

// Threads that were started by the program and not yet joined.
struct known {
    struct known *next;
    pthread_t thread;
    unsigned index;
};
static struct known *all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t ended;
static bool ready;

struct start {
    void *(*run)(void *);
    void *arg;
    unsigned index;
};

static bool watched(void)
{
    return __atomic_load_n(&uk_process.state, __ATOMIC_ACQUIRE) == UK_ON && uk_process.level > MPI_THREAD_FUNNELED;
}

static void note(struct uk_thread *t, unsigned id, unsigned nwords, uint64_t word, void *ra)
{
    uint64_t *w = uk_begin(t, id, UK_DATA, (uint64_t)(uintptr_t)ra, nwords);
    if (nwords > 0)
        w[0] = word;
    uk_commit(t);
}

// Writes this thread's id where the agent can look after the threads that never call MPI; NULL if there is no room.
static _Atomic uint32_t *register_user(void)
{
    struct uk_ring_header *first = uk_process.first;
    for (size_t i = 0; i < sizeof first->users / sizeof *first->users; i++) {
        _Atomic uint32_t *place = (_Atomic uint32_t *)&first->users[i];
        uint32_t none = 0;
        if (atomic_compare_exchange_strong(place, &none, (uint32_t)syscall(SYS_gettid)))
            return place;
    }
    __atomic_store_n(&first->users_lost, 1, __ATOMIC_RELEASE);
    return NULL;
}

// Also run when the thread ends by pthread_exit or is cancelled.
static void unregister_user(void *place)
{
    if (place && uk_is_ours())
        atomic_store((_Atomic uint32_t *)place, 0);
}

// In a section of its own, so that stack.c can tell this frame from a wrapper's.
__attribute__((section("uk_trampoline"), noinline)) static void *trampoline(void *arg)
{
    struct start s = *(struct start *)arg;
    free(arg);
    uk_self.index = s.index;
    _Atomic uint32_t *place = register_user();
    void *result;
    pthread_cleanup_push(unregister_user, place);
    result = s.run(s.arg);
    pthread_cleanup_pop(1);
    return result;
}

static void on_end(void *arg)
{
    struct uk_thread *t = arg;
    if (uk_is_ours() && t->gate == UK_OPEN && watched())
        note(t, UK_DATA_THREAD_END, 0, 0, NULL);
    t->gate = t->rest = UK_OFF;
    uk_python_end();
    for (size_t i = 0; i < sizeof t->scratch / sizeof *t->scratch; i++)
        free(t->scratch[i].at);
    if (t->ring && t->ring != uk_process.first && t->mask != 0)
        munmap(t->ring, UK_HEADER_SIZE + 2 * t->capacity * UK_SLOT_SIZE);
    t->ring = NULL;
}

void uk_threads_init(void)
{
    ready = pthread_key_create(&ended, on_end) == 0;
}

void uk_threads_attached(struct uk_thread *t)
{
    if (ready)
        pthread_setspecific(ended, t);
}

UK_API int pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg)
{
    static create_type *resolved;
    create_type *real = __atomic_load_n(&resolved, __ATOMIC_RELAXED);
    if (!real) {
        real = (create_type *)dlsym(RTLD_NEXT, "pthread_create");
        __atomic_store_n(&resolved, real, __ATOMIC_RELAXED);
    }
    struct uk_thread *t = &uk_self;
    // A thread that the MPI library starts is not the program's.
    if (!watched() || t->gate == UK_INSIDE)
        return real(thread, attr, run, arg);
    struct start *s = malloc(sizeof *s);
    struct known *k = malloc(sizeof *k);
    if (!s || !k) {
        free(s);
        free(k);
        return real(thread, attr, run, arg);
    }
    unsigned index = __atomic_add_fetch(&uk_process.threads, 1, __ATOMIC_RELAXED);
    *s = (struct start){run, arg, index};
    if (t->gate == UK_OPEN)
        note(t, UK_DATA_THREAD, 1, index, __builtin_return_address(0));
    int rc = real(thread, attr, trampoline, s);
    if (rc != 0) {
        free(s);
        free(k);
        return rc;
    }
    pthread_mutex_lock(&lock);
    *k = (struct known){all, *thread, index};
    all = k;
    pthread_mutex_unlock(&lock);
    return 0;
}

// Takes a thread out of the list; 0 if it is not in it.
static unsigned take(pthread_t thread)
{
    unsigned index = 0;
    pthread_mutex_lock(&lock);
    for (struct known **p = &all; *p; p = &(*p)->next)
        if (pthread_equal((*p)->thread, thread)) {
            struct known *k = *p;
            index = k->index;
            *p = k->next;
            free(k);
            break;
        }
    pthread_mutex_unlock(&lock);
    return index;
}

UK_API int pthread_join(pthread_t thread, void **result)
{
    static join_type *resolved;
    join_type *real = __atomic_load_n(&resolved, __ATOMIC_RELAXED);
    if (!real) {
        real = (join_type *)dlsym(RTLD_NEXT, "pthread_join");
        __atomic_store_n(&resolved, real, __ATOMIC_RELAXED);
    }
    struct uk_thread *t = &uk_self;
    unsigned index = watched() && t->gate == UK_OPEN ? take(thread) : 0;
    if (index == 0)
        return real(thread, result);
    note(t, UK_DATA_JOIN, 1, index, __builtin_return_address(0));
    int rc = real(thread, result);
    if (t->gate == UK_OPEN)
        note(t, UK_DATA_JOINED, 0, 0, NULL);
    return rc;
}
