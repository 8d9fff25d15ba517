/* run: -n 2 */
/* In each case a thread calls MPI first and then the main thread, which waits for that by other means of POSIX and C. */
#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int done;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_spinlock_t spin;
static pthread_barrier_t both;
static sem_t posted, passed;
static mtx_t plain;
static cnd_t changed;

static void sum(void)
{
    int mine = 1, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static struct timespec late(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 1000;
    return t;
}

static void *locks(void *unused)
{
    pthread_mutex_lock(&mutex);
    sum();
    done = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *signals(void *unused)
{
    sum();
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&condition);
    return unused;
}

static void *writes(void *unused)
{
    pthread_rwlock_wrlock(&rwlock);
    sum();
    done = 1;
    pthread_rwlock_unlock(&rwlock);
    return unused;
}

static void *reads(void *unused)
{
    pthread_rwlock_rdlock(&rwlock);
    sum();
    pthread_rwlock_unlock(&rwlock);
    sem_post(&posted);
    return unused;
}

static void *spins(void *unused)
{
    sum();
    pthread_spin_lock(&spin);
    done = 1;
    pthread_spin_unlock(&spin);
    return unused;
}

static void *meets(void *unused)
{
    sum();
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    sum();
    pthread_barrier_wait(&both);
    return unused;
}

static void *posts(void *unused)
{
    sum();
    sem_post(&posted);
    return unused;
}

static void *passes(void *unused)
{
    sem_wait(&posted);
    sem_post(&passed);
    return unused;
}

static void *begins(void *unused)
{
    pthread_once(&once, sum);
    return unused;
}

static void *c_signals(void *unused)
{
    sum();
    mtx_lock(&plain);
    done = 1;
    cnd_signal(&changed);
    mtx_unlock(&plain);
    return unused;
}

static pthread_t start(void *(*run)(void *))
{
    pthread_t thread;
    done = 0;
    pthread_create(&thread, NULL, run, NULL);
    return thread;
}

static void end(pthread_t thread)
{
    sum();
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int provided, is = 0;
    pthread_t thread, another;
    struct timespec until;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    pthread_spin_init(&spin, 0);
    pthread_barrier_init(&both, NULL, 2);
    sem_init(&posted, 0, 0);
    sem_init(&passed, 0, 0);
    mtx_init(&plain, mtx_plain);
    cnd_init(&changed);
    until = late();

    for (thread = start(locks); !is; usleep(100)) {
        pthread_mutex_lock(&mutex);
        is = done;
        pthread_mutex_unlock(&mutex);
    }
    end(thread);

    thread = start(signals);
    pthread_mutex_lock(&mutex);
    while (!done)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    end(thread);

    thread = start(signals);
    pthread_mutex_timedlock(&mutex, &until);
    while (!done)
        pthread_cond_timedwait(&condition, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    end(thread);

    for (is = 0, thread = start(writes); !is; usleep(100)) {
        pthread_rwlock_rdlock(&rwlock);
        is = done;
        pthread_rwlock_unlock(&rwlock);
    }
    end(thread);

    thread = start(reads);
    sem_wait(&posted);
    pthread_rwlock_wrlock(&rwlock);
    pthread_rwlock_unlock(&rwlock);
    end(thread);

    for (is = 0, thread = start(spins); !is; usleep(100))
        if (pthread_spin_trylock(&spin) == 0) {
            is = done;
            pthread_spin_unlock(&spin);
        }
    end(thread);

    thread = start(meets);
    pthread_barrier_wait(&both);
    sum();
    pthread_barrier_wait(&both);
    pthread_barrier_wait(&both);
    end(thread);

    thread = start(posts);
    while (sem_timedwait(&posted, &until) != 0)
        ;
    end(thread);

    thread = start(posts);
    while (sem_trywait(&posted) != 0)
        usleep(100);
    end(thread);

    another = start(passes);
    thread = start(posts);
    sem_wait(&passed);
    end(thread);
    pthread_join(another, NULL);

    thread = start(begins);
    pthread_once(&once, sum);
    end(thread);

    thread = start(c_signals);
    mtx_lock(&plain);
    while (!done)
        cnd_wait(&changed, &plain);
    mtx_unlock(&plain);
    end(thread);

    thread = start(posts);
    pthread_join(thread, NULL);
    sum();
    MPI_Finalize();
    return 0;
}
