/*
 * The end of a job before its time: upc_global_exit (UPC 1.3, 7.2.1) and errors. The threads of a node learn of it by a
 * signal, in whose handler they may be anywhere; so all there has a time limit.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rt.h"

/*
 * Of several nodes only who ends the job may leave first, by MPI_Abort: mpiexec of MPICH does not end the processes of
 * other hosts when one exits.
 */
enum { ENDING = 1 << 16, LIMIT_SECONDS = 2, LIMIT_SECONDS_FOR_UNKNOT = 10, LIMIT_SECONDS_FOR_NODES = 30 };
volatile int upcr_in_mpi;

/* Glibc's own threads and MPI libraries take the first ones. */
static int end_signal(void)
{
    return SIGRTMIN + 9;
}

void upcr_say(const char *format, ...)
{
    char line[1024] = "upc: ";
    va_list args;
    va_start(args, format);
    int n = 5 + vsnprintf(line + 5, sizeof line - 6, format, args);
    va_end(args);
    if (n > (int)sizeof line - 2)
        n = (int)sizeof line - 2;
    line[n++] = '\n';
    for (int done = 0; done < n;) {
        ssize_t w = write(STDERR_FILENO, line + done, (size_t)(n - done));
        if (w <= 0)
            return;
        done += (int)w;
    }
}

static int status_of_job(void)
{
    return (int)(atomic_load(&upcr_leader->ending) & 0xff);
}

static void too_late(int signal)
{
    (void)signal;
    _exit(status_of_job());
}

void upcr_end_in_time(void)
{
    struct sigaction late = {.sa_handler = too_late};
    sigset_t only;
    upcr_sigaction(SIGALRM, &late, NULL);
    sigemptyset(&only);
    sigaddset(&only, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    alarm(upcr_one_node ? LIMIT_SECONDS : LIMIT_SECONDS_FOR_NODES);
}

/* Leaves in order, so that the launcher has nothing to complain of, or after a while without. */
static _Noreturn void leave(void)
{
    upcr_end_in_time();
    upcr_record_dies();
    fflush(NULL);
    if (!upcr_one_node) {
        upcr_drain();
        atomic_fetch_add(&upcr_leader->flushed, 1);
        pause(); /* for MPI_Abort by the one who ends the job */
    } else if (!upcr_in_mpi) {
        UPCR_QUIET(MPI_Finalize()); /* not the program's, of which the probe expects that it has freed all */
    }
    _exit(status_of_job());
}

static void told_to_end(int signal)
{
    (void)signal;
    if (atomic_load(&upcr_leader->ending))
        leave();
}

void upcr_end_prepare(void)
{
    struct sigaction end = {.sa_handler = told_to_end, .sa_flags = SA_RESTART};
    sigfillset(&end.sa_mask);
    upcr_sigaction(end_signal(), &end, NULL);
}

/* Only the first one of a node may end it. */
static int first_to_end(int status)
{
    uint32_t none = 0;
    return atomic_compare_exchange_strong(&upcr_leader->ending, &none, ENDING | ((uint32_t)status & 0xff));
}

static _Noreturn void end_all(int status)
{
    for (int t = 0; t < upcr_threads; t++)
        if (t != upcr_thread && upcr_near[t])
            kill(upcr_control_of(t)->pid, end_signal());
    if (upcr_one_node)
        leave();
    fflush(NULL);
    upcr_drain();
    const struct timespec while_others_write = {0, 1000000};
    for (int i = 0; i < UPCR_DRAIN_MILLIS + 200 && (int)atomic_load(&upcr_leader->flushed) < upcr_node_count - 1; i++)
        nanosleep(&while_others_write, NULL);
    if (upcr_watched && upcr_tell_end(status, 1)) {
        const struct timespec second = {1, 0};
        for (int i = 0; i < LIMIT_SECONDS_FOR_UNKNOT; i++)
            nanosleep(&second, NULL); /* unknot ends the job, but if its root is lost */
    }
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

void upcr_end_job(int status)
{
    if (!first_to_end(status))
        for (;;)
            pause(); /* the signal comes */
    upcr_tell_end(status, 0);
    end_all(status);
}

void upcr_fail(const char *format, ...)
{
    char text[900];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (!first_to_end(1))
        for (;;)
            pause();
    int reported = upcr_tell_error(text);
    if (reported)
        atomic_store(&upcr_leader->ending, ENDING); /* launchers complain of a status other than 0 */
    else
        upcr_say("%s", text);
    upcr_tell_end(1, 0);
    end_all(reported ? 0 : 1);
}

void upc_global_exit(int status);
void upc_global_exit(int status)
{
    upcr_end_job(status);
}
