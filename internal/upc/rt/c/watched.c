/*
 * What is reported to `unknot run`, in the directory that UNKNOT_SESSION names: errors and ends as lines of JSON in the
 * file upc-findings, which is there if somebody reads it; and what a thread waits for, once it has waited for a while,
 * as words in a separate file, upc.PID. internal/upc/layout defines both, and internal/upc/reports reads them. All
 * threads wait for each other and for nobody else, so if all wait, each has looked again since then, and nobody has
 * moved, they wait forever.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt.h"

int upcr_watched;
void (*upcr_hide)(int);

static _Atomic uint64_t *words;
static char findings[4096];

static int open_findings(void)
{
    return *findings ? open(findings, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
}

void upcr_hide_prepare(void)
{
    *(void **)&upcr_hide = dlsym(RTLD_DEFAULT, "unknot_hide");
}

int upcr_watch_prepare(int thread, int threads, unsigned long job)
{
    const char *session = getenv(UPCR_ENV_SESSION);
    char path[4096];
    struct stat dir;
    /* On a host that the job has only come to, others may have made a directory of that name. */
    if (!session || strlen(session) > sizeof path - 40 || lstat(session, &dir) != 0 || !S_ISDIR(dir.st_mode) ||
        dir.st_uid != geteuid())
        return 0;
    snprintf(findings, sizeof findings, "%s/" UPCR_FINDINGS_NAME, session);
    int fd = open_findings();
    if (fd < 0)
        return 0;
    close(fd);
    snprintf(path, sizeof path, "%s/" UPCR_WAITS_PREFIX "%d", session, (int)getpid());
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return 0;
    int fine = posix_fallocate(fd, 0, UPCR_WAITS_WORDS * sizeof *words) == 0;
    void *at =
        fine ? mmap(NULL, UPCR_WAITS_WORDS * sizeof *words, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (at == MAP_FAILED)
        return 0;
    words = at;
    words[UPCR_WAITS_JOB] = job;
    words[UPCR_WAITS_THREAD] = (uint64_t)thread;
    words[UPCR_WAITS_THREADS] = (uint64_t)threads;
    words[UPCR_WAITS_PID] = (uint64_t)getpid();
    words[UPCR_WAITS_MARK] = UPCR_MARK;
    return 1;
}

static void begin_turn(const struct upcr_wait *what)
{
    void *frames[UPCR_WAITS_WORDS - UPCR_WAITS_STACK];
    int n = backtrace(frames, UPCR_WAITS_WORDS - UPCR_WAITS_STACK);
    words[UPCR_WAITS_KIND] = what->kind;
    words[UPCR_WAITS_WAITED] = (uint64_t)(what->thread + 1);
    words[UPCR_WAITS_NUMBER] = what->number;
    words[UPCR_WAITS_LOOKS] = 0;
    for (int i = 0; i < n; i++)
        words[UPCR_WAITS_STACK + i] = (uint64_t)(uintptr_t)frames[i];
    words[UPCR_WAITS_FRAMES] = (uint64_t)n;
    words[UPCR_WAITS_TURN]++;
}

void upcr_still_waits(const struct upcr_wait *what)
{
    if (!upcr_watched)
        return;
    if (words[UPCR_WAITS_TURN] % 2 == 0)
        begin_turn(what);
    words[UPCR_WAITS_LOOKS]++;
}

void upcr_waits_no_more(void)
{
    if (upcr_watched && words[UPCR_WAITS_TURN] % 2)
        words[UPCR_WAITS_TURN]++;
}

/* How a line begins: with its version. */
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define LINE "{\"layout\":" TEXT(UPCR_LAYOUT) ","

static char line[16384];
static size_t used;

static void add_text(const char *text)
{
    for (; *text && used < sizeof line - 16; text++)
        if ((unsigned char)*text < ' ')
            used += (size_t)sprintf(line + used, "\\u%04x", (unsigned)*text);
        else if (*text == '"' || *text == '\\')
            used += (size_t)sprintf(line + used, "\\%c", *text);
        else
            line[used++] = *text;
}

/* Where executable code is in memory: the process is gone when its addresses are looked up. */
static void add_maps(void)
{
    char map[1024];
    FILE *f = fopen("/proc/self/maps", "re");
    while (f && used < sizeof line / 2 && fgets(map, sizeof map, f)) {
        const char *mode = strchr(map, ' ');
        if (mode && mode[3] == 'x')
            add_text(map);
    }
    if (f)
        fclose(f);
}

static int write_line(int fd)
{
    int fine = fd >= 0 && write(fd, line, used) == (ssize_t)used;
    if (fd >= 0)
        close(fd);
    return fine;
}

static void add_stack(void)
{
    void *frames[40];
    int n = backtrace(frames, 40);
    used += (size_t)sprintf(line + used, "\"stack\":[");
    for (int i = 0; i < n; i++) {
        unsigned long at = (unsigned long)(uintptr_t)frames[i];
        /* As if it was a call's return address. */
        used += (size_t)sprintf(line + used, "%s%lu", i ? "," : "", at + (at && at == upcr_failed_at));
    }
    used += (size_t)sprintf(line + used, "],\"maps\":\"");
    add_maps();
    used += (size_t)sprintf(line + used, "\"}\n");
}

int upcr_tell_error(const char *text)
{
    used = (size_t)sprintf(line,
                           LINE "\"code\":\"" UPCR_CODE_ERROR "\",\"thread\":%d,\"of\":%d,\"pid\":%d%s,\"sentence\":\"",
                           upcr_thread, upcr_threads, (int)getpid(), upcr_access_failed ? ",\"access\":true" : "");
    add_text(text);
    used += (size_t)sprintf(line + used, "\",");
    add_stack();
    return write_line(open_findings());
}

void upcr_tell_stack(const char *path, int side)
{
    used = (size_t)sprintf(line, LINE "\"thread\":%d,\"pid\":%d,\"side\":%d,", upcr_thread, (int)getpid(), side);
    add_stack();
    write_line(open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600));
}

int upcr_tell_end(int status, int stop)
{
    used = (size_t)sprintf(line, LINE "\"end\":%d%s\n", status & 0xff, stop ? UPCR_STOP_END : "}");
    return write_line(open_findings());
}
