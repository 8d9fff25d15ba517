// Threads that wait, each in another system call. Each says which thread it is, and whether the kernel resumes its call
// after a stop. At the end the program says what each call has returned, and whether that was too early: before the call's
// time limit, or before the end of the program's input.
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct timespec limit = {1, 500000000};
enum { LIMIT_MILLIS = 1500 };

static int ends[2]; // of a pipe that is closed at the end
static atomic_int word, over;
static pid_t child;

static struct timespec later(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_sec += limit.tv_sec;
    t.tv_nsec += limit.tv_nsec;
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

static int returned(int result)
{
    return result < 0 ? -errno : result;
}

static int futex(atomic_int *at, int op, const struct timespec *until)
{
    return returned((int)syscall(SYS_futex, at, op, 0, until, NULL, FUTEX_BITSET_MATCH_ANY));
}

static int sleeps(void)
{
    return returned((int)syscall(SYS_nanosleep, &limit, NULL));
}

static int sleeps_by_clock(void)
{
    return -clock_nanosleep(CLOCK_MONOTONIC, 0, &limit, NULL);
}

static int sleeps_until(void)
{
    struct timespec until = later(CLOCK_MONOTONIC);
    return -clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

static int polls(void)
{
    return returned(poll(NULL, 0, LIMIT_MILLIS));
}

static int polls_precisely(void)
{
    return returned(ppoll(NULL, 0, &limit, NULL));
}

static int selects(void)
{
    struct timeval t = {limit.tv_sec, limit.tv_nsec / 1000};
    return returned((int)syscall(SYS_select, 0, NULL, NULL, NULL, &t));
}

static int selects_precisely(void)
{
    struct timespec t = limit;
    return returned((int)syscall(SYS_pselect6, 0, NULL, NULL, NULL, &t, NULL));
}

static int waits_for_word(void)
{
    static atomic_int own;
    return futex(&own, FUTEX_WAIT_PRIVATE, &limit);
}

static int waits_until(void)
{
    static atomic_int own;
    struct timespec until = later(CLOCK_MONOTONIC);
    return futex(&own, FUTEX_WAIT_BITSET_PRIVATE, &until);
}

static int waits_for_condition(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until = later(CLOCK_REALTIME);
    pthread_mutex_lock(&lock);
    return -pthread_cond_timedwait(&never, &lock, &until);
}

static int waits_for_change(void)
{
    return futex(&word, FUTEX_WAIT, NULL);
}

static int polls_pipe(void)
{
    return returned(poll(&(struct pollfd){.fd = ends[0]}, 1, -1));
}

static int selects_pipe(void)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(ends[0], &set);
    return returned(select(ends[0] + 1, &set, NULL, NULL, NULL));
}

static int waits_for_child(void)
{
    return returned(waitpid(child, NULL, 0)) == child ? 0 : -errno;
}

static int pauses(void)
{
    return returned(pause());
}

static int waits_for_events(void)
{
    struct epoll_event event;
    return returned(epoll_wait(epoll_create1(0), &event, 1, LIMIT_MILLIS));
}

static int waits_for_semaphore(void)
{
    int id = semget(IPC_PRIVATE, 1, 0600);
    int result = returned(semtimedop(id, &(struct sembuf){.sem_op = -1}, 1, &limit));
    semctl(id, 0, IPC_RMID);
    return result;
}

static int waits_for_signal(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    return returned(sigtimedwait(&set, NULL, &limit));
}

static int wants_rest(void) // what is left is written down, though the call is resumed
{
    struct timespec rest = {0};
    int result = -clock_nanosleep(CLOCK_MONOTONIC, 0, &limit, &rest);
    return result + (int)rest.tv_nsec;
}

static int selects_with_mask(void)
{
    sigset_t set;
    sigemptyset(&set);
    return returned(pselect(0, NULL, NULL, NULL, &limit, &set));
}

static int selects_with_fixed_limit(void) // which the kernel cannot change
{
    return returned((int)syscall(SYS_pselect6, 0, NULL, NULL, NULL, &limit, NULL));
}

static struct wait {
    struct {
        const char *name;
        int (*call)(void);
        int expected, timed, resumed;
    } is;
    int got, early;
    pthread_t thread;
} waits[] = {
    {.is = {"sleeps", sleeps, 0, 1, 1}},
    {.is = {"sleeps_by_clock", sleeps_by_clock, 0, 1, 1}},
    {.is = {"sleeps_until", sleeps_until, 0, 1, 1}},
    {.is = {"polls", polls, 0, 1, 1}},
    {.is = {"polls_precisely", polls_precisely, 0, 1, 1}},
    {.is = {"selects", selects, 0, 1, 1}},
    {.is = {"selects_precisely", selects_precisely, 0, 1, 1}},
    {.is = {"waits_for_word", waits_for_word, -ETIMEDOUT, 1, 1}},
    {.is = {"waits_until", waits_until, -ETIMEDOUT, 1, 1}},
    {.is = {"waits_for_condition", waits_for_condition, -ETIMEDOUT, 1, 1}},
    {.is = {"waits_for_change", waits_for_change, 0, 0, 1}},
    {.is = {"polls_pipe", polls_pipe, 1, 0, 1}},
    {.is = {"selects_pipe", selects_pipe, 1, 0, 1}},
    {.is = {"waits_for_child", waits_for_child, 0, 0, 1}},
    {.is = {"pauses", pauses, -EINTR, 0, 1}},
    {.is = {"waits_for_events", waits_for_events, 0, 1, 0}},
    {.is = {"waits_for_semaphore", waits_for_semaphore, -EAGAIN, 1, 0}},
    {.is = {"waits_for_signal", waits_for_signal, -EAGAIN, 1, 0}},
    {.is = {"wants_rest", wants_rest, 0, 1, 0}},
    {.is = {"selects_with_mask", selects_with_mask, 0, 1, 0}},
    {.is = {"selects_with_fixed_limit", selects_with_fixed_limit, 0, 1, 0}},
};
enum { WAITS = sizeof waits / sizeof waits[0] };

static void *run(void *arg)
{
    struct wait *w = arg;
    printf("%ld %s %d\n", syscall(SYS_gettid), w->is.name, w->is.resumed);
    struct timespec end = later(CLOCK_MONOTONIC), now;
    w->got = w->is.call();
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (w->is.timed)
        w->early = now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec);
    else
        w->early = !over;
    return NULL;
}

static void handle(int signal)
{
    (void)signal;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, handle);
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    if (pipe(ends) != 0)
        return 1;
    child = fork();
    if (child == 0) {
        char c;
        close(ends[1]);
        return read(ends[0], &c, 1) != 0;
    }
    for (struct wait *w = waits; w < waits + WAITS; w++)
        pthread_create(&w->thread, NULL, run, w);
    getchar();
    over = 1;
    close(ends[1]);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    for (struct wait *w = waits; w < waits + WAITS; w++)
        if (w->is.call == pauses)
            while (pthread_kill(w->thread, SIGUSR1), pthread_tryjoin_np(w->thread, NULL) != 0)
                sched_yield();
    for (struct wait *w = waits; w < waits + WAITS; w++) {
        if (w->is.call != pauses)
            pthread_join(w->thread, NULL);
        printf("%s: %d%s\n", w->is.name, w->got, w->got != w->is.expected ? " is wrong" : w->early ? " is early" : "");
    }
    return 0;
}
