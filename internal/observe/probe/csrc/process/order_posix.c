// What orders threads in the C library: POSIX's locks, conditions, barriers, semaphores and once, and C's by their other
// names. C++'s come here too. What waits up to a certain time, or for a semaphore, comes by outside.c and clocks.c.
//
// Runs: wherever the program, or a library, calls these.
//
// Never: changes what the caller gets, or errno; does anything where the order of the thread is not followed.
#define _GNU_SOURCE
#include "process/order.h"
#include "outside/outside.h"
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#define REAL(name, ...) ((int (*)(__VA_ARGS__))uk_behind(&real, #name))

void uk_order_posix_init(void)
{
    uk_on_taken = uk_order_takes_lock;
    uk_on_given = uk_order_gives;
}

// TAKES(function, its parameters, how it is called, what then: LOCKED of what one thread has at a time, READ or WRITTEN)
#define LOCKED(lock) uk_order_takes((const void *)(lock))
#define READ(lock) uk_order_takes_lock(lock, false)
#define WRITTEN(lock) uk_order_takes_lock(lock, true)
#define TAKES(name, params, args, takes)                             \
    UK_API UK_BETWEEN int name params                                \
    {                                                                \
        static void *real;                                           \
        const int rc = ((int(*) params)uk_behind(&real, #name))args; \
        if (rc == 0 && uk_order_shared())                            \
            takes;                                                   \
        return rc;                                                   \
    }

#define WAITS(name, params, args, condition, lock)                   \
    UK_API UK_BETWEEN int name params                                \
    {                                                                \
        static void *real;                                           \
        const bool followed = uk_order_shared();                     \
        if (followed)                                                \
            uk_order_gives(lock);                                    \
        const int rc = ((int(*) params)uk_behind(&real, #name))args; \
        if (followed) {                                              \
            uk_order_takes(lock);                                    \
            uk_order_takes(condition);                               \
        }                                                            \
        return rc;                                                   \
    }

// GIVES(function, its parameters, how it is called, what before that)
#define GIVES(name, params, args, gives)                     \
    UK_API UK_BETWEEN int name params                        \
    {                                                        \
        static void *real;                                   \
        if (uk_order_shared())                               \
            gives;                                           \
        return ((int(*) params)uk_behind(&real, #name))args; \
    }

typedef const struct timespec *until;

TAKES(pthread_mutex_lock, (pthread_mutex_t * m), (m), LOCKED(m))
TAKES(pthread_mutex_trylock, (pthread_mutex_t * m), (m), LOCKED(m))
GIVES(pthread_mutex_unlock, (pthread_mutex_t * m), (m), uk_order_gives(m))
TAKES(pthread_spin_lock, (pthread_spinlock_t * m), (m), LOCKED(m))
TAKES(pthread_spin_trylock, (pthread_spinlock_t * m), (m), LOCKED(m))
GIVES(pthread_spin_unlock, (pthread_spinlock_t * m), (m), uk_order_gives((const void *)m))
TAKES(pthread_rwlock_rdlock, (pthread_rwlock_t * m), (m), READ(m))
TAKES(pthread_rwlock_tryrdlock, (pthread_rwlock_t * m), (m), READ(m))
TAKES(pthread_rwlock_clockrdlock, (pthread_rwlock_t * m, clockid_t c, until t), (m, c, t), READ(m))
TAKES(pthread_rwlock_wrlock, (pthread_rwlock_t * m), (m), WRITTEN(m))
TAKES(pthread_rwlock_trywrlock, (pthread_rwlock_t * m), (m), WRITTEN(m))
TAKES(pthread_rwlock_clockwrlock, (pthread_rwlock_t * m, clockid_t c, until t), (m, c, t), WRITTEN(m))
GIVES(pthread_rwlock_unlock, (pthread_rwlock_t * m), (m), uk_order_gives_lock(m))
WAITS(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m), (c, m), c, m)
GIVES(pthread_cond_signal, (pthread_cond_t * c), (c), uk_order_gives(c))
GIVES(pthread_cond_broadcast, (pthread_cond_t * c), (c), uk_order_gives(c))
GIVES(sem_post, (sem_t * s), (s), uk_order_gives(s))

UK_API UK_BETWEEN int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr, unsigned count)
{
    static void *real;
    if (uk_order_followed())
        uk_order_barrier(b, count);
    return REAL(pthread_barrier_init, pthread_barrier_t *, const pthread_barrierattr_t *, unsigned)(b, attr, count);
}

UK_API UK_BETWEEN int pthread_barrier_wait(pthread_barrier_t *b)
{
    static void *real;
    const bool followed = uk_order_followed();
    const unsigned arrival = followed ? uk_order_arrives(b) : 0;
    const int rc = REAL(pthread_barrier_wait, pthread_barrier_t *)(b);
    if (followed)
        uk_order_passes(b, arrival);
    return rc;
}

// What is run once is handed on to whoever calls for it later.
static __thread struct {
    void (*run)(void);
    const void *control;
} once __attribute__((tls_model("initial-exec")));

UK_BETWEEN static void run_once(void)
{
    const void *control = once.control;
    once.run();
    uk_order_gives(control);
}

UK_API UK_BETWEEN int pthread_once(pthread_once_t *control, void (*run)(void))
{
    static void *real;
    if (!uk_order_followed())
        return REAL(pthread_once, pthread_once_t *, void (*)(void))(control, run);
    once.run = run;
    once.control = control;
    const int rc = REAL(pthread_once, pthread_once_t *, void (*)(void))(control, run_once);
    uk_order_takes(control);
    return rc;
}

// C's threads, whose header older C libraries lack: its types are those of POSIX.
typedef pthread_mutex_t mtx;
typedef pthread_cond_t cnd;
int mtx_lock(mtx *), mtx_trylock(mtx *), mtx_timedlock(mtx *restrict, until restrict), mtx_unlock(mtx *);
int cnd_wait(cnd *, mtx *), cnd_timedwait(cnd *restrict, mtx *restrict, until restrict);
int cnd_signal(cnd *), cnd_broadcast(cnd *);
void call_once(pthread_once_t *, void (*)(void));

TAKES(mtx_lock, (mtx * m), (m), LOCKED(m))
TAKES(mtx_trylock, (mtx * m), (m), LOCKED(m))
TAKES(mtx_timedlock, (mtx *restrict m, until restrict t), (m, t), LOCKED(m))
GIVES(mtx_unlock, (mtx * m), (m), uk_order_gives(m))
WAITS(cnd_wait, (cnd * c, mtx *m), (c, m), c, m)
WAITS(cnd_timedwait, (cnd *restrict c, mtx *restrict m, until restrict t), (c, m, t), c, m)
GIVES(cnd_signal, (cnd * c), (c), uk_order_gives(c))
GIVES(cnd_broadcast, (cnd * c), (c), uk_order_gives(c))

UK_API UK_BETWEEN void call_once(pthread_once_t *control, void (*run)(void))
{
    pthread_once(control, run);
}
