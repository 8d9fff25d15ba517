/*
 * The start of the checks on a thread: what the environment says of them. Also time, and how to wait for others without
 * keeping a processor busy.
 */
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "inner.h"

enum { STEPS_AWAKE = 64, LONGEST_NANOS = 1000000 };

int upck_goes_on;
double upck_livelock_seconds = 300;
const char *upck_report_path, *upck_watcher_path;
static int suspicious;
struct upck_mine upck_mine;

/* A value that is not understood is reported by one thread, and the default is used. */
static void not_understood(const char *name, const char *value, const char *wanted, const char *used)
{
    if (MYTHREAD == 0)
        fprintf(stderr, "unknot: warning: %s is \"%.40s\", which is not %s; %s is used\n", name, value, wanted, used);
}

/* unknot run reads a file in the directory of its run; on other hosts there is none, and its other end may be gone. */
static void watcher(void)
{
    static const char name[] = "/" UPCK_FINDINGS_NAME;
    const char *session = getenv(UPCK_ENV_SESSION);
    char *path = session ? malloc(strlen(session) + sizeof name) : NULL;
    if (!path)
        return;
    strcat(strcpy(path, session), name);
    if (access(path, W_OK) == 0)
        upck_watcher_path = path;
    else
        free(path);
}

static int is_true(const char *name, int otherwise)
{
    const char *value = getenv(name);
    if (value && strcasecmp(value, "TRUE") == 0)
        return 1;
    if (value && strcasecmp(value, "FALSE") == 0)
        return 0;
    if (value)
        not_understood(name, value, "TRUE or FALSE", otherwise ? "TRUE" : "FALSE");
    return otherwise;
}

static void read_environment(void)
{
    const char *limit = getenv("UPCCHECK_LIVELOCK_TIMEOUT");
    upck_goes_on = !is_true("UPCCHECK_STOP_ON_ERROR", 1);
    suspicious = is_true("UPCCHECK_SUSPICIOUS", 0);
    if (limit) {
        char *end;
        double seconds = strtod(limit, &end);
        if (end != limit && *end == 0 && seconds > 0 && seconds < 1e9)
            upck_livelock_seconds = seconds;
        else
            not_understood("UPCCHECK_LIVELOCK_TIMEOUT", limit, "a number of seconds", "300");
    }
    upck_report_path = getenv("UNKNOT_UPC_REPORT");
    if (upck_report_path && !*upck_report_path)
        upck_report_path = NULL;
    watcher();
}

void upck_start(void)
{
    read_environment();
    upck_gate_start();
}

int upck_suspicious(void)
{
    return suspicious;
}

double upck_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void upck_pause(unsigned *step)
{
    unsigned n = ++*step;
    if (n < STEPS_AWAKE) {
        sched_yield();
        return;
    }
    long nanos = 1000L << (n - STEPS_AWAKE < 12 ? n - STEPS_AWAKE : 12);
    struct timespec t = {0, nanos < LONGEST_NANOS ? nanos : LONGEST_NANOS};
    nanosleep(&t, NULL);
}

extern char __executable_start[], edata[];
static const char base;

long upck_place(const void *p)
{
    return p ? (long)((size_t)p - (size_t)&base) : 0;
}

const struct upck_site *upck_site_at(long place)
{
    size_t at = (size_t)&base + (size_t)place;
    int inside = at >= (size_t)__executable_start && at < (size_t)edata && at % sizeof(void *) == 0;
    return place && inside ? (const struct upck_site *)at : NULL;
}
