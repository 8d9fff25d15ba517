/* Sleeps until moments of several clocks, and gives up waiting at others. */
#include "plain.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static struct timespec in(clockid_t id, long ms)
{
    struct timespec t;
    clock_gettime(id, &t);
    t.tv_nsec += ms * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static int before(clockid_t id, const struct timespec *t)
{
    struct timespec now;
    clock_gettime(id, &now);
    return now.tv_sec < t->tv_sec || (now.tv_sec == t->tv_sec && now.tv_nsec < t->tv_nsec);
}

int main(int argc, char **argv)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER, d;
    pthread_condattr_t steady;
    sem_t s;
    begin(&argc, &argv);
    const clockid_t ids[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
    for (int i = 0; i < 2; i++) {
        const struct timespec t = in(ids[i], 30);
        if (clock_nanosleep(ids[i], TIMER_ABSTIME, &t, NULL) != 0 || before(ids[i], &t))
            return 1;
    }
    sem_init(&s, 0, 0);
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&d, &steady);
    pthread_mutex_lock(&m);
    struct timespec t = in(CLOCK_REALTIME, 30);
    if (pthread_cond_timedwait(&c, &m, &t) != ETIMEDOUT || before(CLOCK_REALTIME, &t))
        return 2;
    t = in(CLOCK_MONOTONIC, 30);
    if (pthread_cond_timedwait(&d, &m, &t) != ETIMEDOUT || before(CLOCK_MONOTONIC, &t))
        return 3;
    t = in(CLOCK_REALTIME, 30);
    if (sem_timedwait(&s, &t) == 0 || before(CLOCK_REALTIME, &t))
        return 4;
    const double until = MPI_Wtime() + 0.05;
    while (MPI_Wtime() < until)
        ;
    work(rank);
    MPI_Finalize();
    return 0;
}
