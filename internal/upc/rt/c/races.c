/*
 * What a thread does with shared memory, for the detection of data races: a stream of records in a file of the session
 * directory, which unknot reads while the program runs (internal/upc/layout has the records, internal/upc/races the
 * reader). Nothing is recorded if nobody reads.
 *
 * References of one site that follow each other in memory are put together (spans) until the next step of
 * synchronisation. A thread waits only if the ring of its stream is full, and records no more once the session is gone.
 *
 * POSIX threads of a UPC thread, and those of OpenMP, record one at a time, and count as the UPC thread.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "races.h"

int upcr_recording;
struct upcr_site *upcr_caller;

extern struct upcr_site __start_upcr_sites[] __attribute__((weak)), __stop_upcr_sites[] __attribute__((weak));

static _Atomic uint64_t *head; /* of the stream */
static struct upcr_record *records;
static uint64_t written, most; /* most: how far the ring is known to have room */
static char path[4096];        /* of the session, and a name in it */
static size_t session;         /* length of the former */
static struct upcr_site *open_sites;
static volatile sig_atomic_t busy, dying; /* accesses are being recorded; a signal ends the process */

/* What a record costs, here and where it is read, in slow accesses. */
enum { RECORD_COST = 10 };
/* For how many accesses a site rests while nothing is recorded. */
enum { AWHILE = 1 << 20 };

struct upcr_site *upcr_sites_begin(void)
{
    return __start_upcr_sites;
}

struct upcr_site *upcr_sites_end(void)
{
    return __stop_upcr_sites;
}

const char *upcr_record_path(const char *name)
{
    snprintf(path + session, sizeof path - session, "/%s", name);
    return path;
}

static int somebody_reads(void)
{
    struct stat dir;
    path[session] = '\0';
    /* Others can make directories of that name. */
    if (lstat(path, &dir) != 0 || !S_ISDIR(dir.st_mode) || dir.st_uid != geteuid())
        return 0;
    return access(upcr_record_path(UPCR_RACES_NAME), F_OK) == 0;
}

/* ---- POSIX threads. ---- */

static int several; /* the process has, or may get, more threads that access shared memory */
static atomic_flag recorder = ATOMIC_FLAG_INIT;
static __thread unsigned recording_here; /* calls of upcr_record_take that have not been followed by upcr_record_drop */

/* Of OpenMP's run-time, if the program is linked with it. */
extern void GOMP_parallel(void) __attribute__((weak));

void upcr_record_take(void)
{
    if (!several || recording_here++ > 0)
        return;
    while (atomic_flag_test_and_set_explicit(&recorder, memory_order_acquire))
        sched_yield();
}

void upcr_record_drop(void)
{
    if (several && --recording_here == 0)
        atomic_flag_clear_explicit(&recorder, memory_order_release);
}

/* ---- The ring. ---- */

static void wait_for_room(void)
{
    const struct timespec nap = {0, 200000};
    upcr_sample_waits();
    for (unsigned naps = 0; written - atomic_load(&head[UPCR_STREAM_READ]) >= UPCR_STREAM_RECORDS; naps++) {
        if (naps % 256 == 255 && !somebody_reads()) {
            upcr_recording = 0;
            return;
        }
        nanosleep(&nap, NULL);
    }
    most = atomic_load(&head[UPCR_STREAM_READ]) + UPCR_STREAM_RECORDS;
    upcr_sample_waited();
}

static void put_alone(const struct upcr_record *r)
{
    if (upcr_meeting) {
        upcr_meet_step();
        return;
    }
    if (written == most) {
        if (dying)
            return;
        wait_for_room();
    }
    if (!upcr_recording)
        return;
    upcr_sample_spend(0, RECORD_COST);
    records[written++ % UPCR_STREAM_RECORDS] = *r;
    atomic_store_explicit(&head[UPCR_STREAM_WRITTEN], written, memory_order_release);
}

void upcr_record_put(const struct upcr_record *r)
{
    upcr_record_take();
    put_alone(r);
    upcr_record_drop();
}

unsigned upcr_record_site(const struct upcr_site *site)
{
    return site ? (unsigned)(site - __start_upcr_sites) + 1 : 0;
}

/* ---- Accesses. ---- */

/* What the accesses that were as expected add to their span. */
static void settle(struct upcr_site *site)
{
    if (!site->expected)
        return;
    struct upcr_span *s = &site->spans[site->current];
    if (site->apart) {
        s->count += site->joined;
        s->last += site->joined * s->stride;
        site->before += site->joined * site->apart;
    }
    site->joined = 0;
    site->expected = 0;
}

/*
 * The site has accessed p, which a span has now whose last element was at an offset. If the next may be foreseen, it
 * is, unless several threads could count it at the same time.
 */
static void foresee(struct upcr_site *site, const struct upcr_span *s, upcr_ptr p, unsigned long last)
{
    upcr_ptr before = site->before;
    site->before = p;
    if (several)
        return;
    if (p == before) {
        site->apart = 0;
        site->expected = p;
    } else if (s->last != last && upcr_offset(p) == s->last && upcr_offset(before) == last && p > before) {
        site->apart = p - before;
        site->expected = p + site->apart;
    }
}

static void put_span(const struct upcr_site *site, struct upcr_span *s)
{
    upcr_record_put(&(struct upcr_record){.kind = site->write ? UPCR_RECORD_WRITE : UPCR_RECORD_READ,
                                          .owner = (unsigned short)(s->owner - 1),
                                          .site = upcr_record_site(site),
                                          .offset = s->first,
                                          .size = s->size,
                                          .stride = s->stride,
                                          .count = s->count});
    s->owner = 0;
}

/* Whether a span has the element at offset, or has been given it. */
static int joins(struct upcr_span *s, unsigned long offset)
{
    if (offset == s->last)
        return 1;
    if (s->count == 1) {
        unsigned long apart = offset > s->last ? offset - s->last : s->last - offset;
        if (apart > UINT32_MAX)
            return 0;
        s->stride = (unsigned)apart;
    }
    if (offset == s->last + s->stride) {
        s->last = offset;
    } else if (offset == s->first - s->stride) {
        s->first = offset;
    } else {
        return offset > s->first && offset < s->last && (offset - s->first) % s->stride == 0;
    }
    s->count++;
    return 1;
}

static void record(struct upcr_site *site, upcr_ptr p, unsigned long bytes)
{
    if (upcr_meeting) {
        upcr_meet_at(upcr_record_site(site), p, bytes);
        return;
    }
    if (!upcr_recording || !upcr_sample.relaxed) {
        site->skip = AWHILE;
        return;
    }
    unsigned owner = (unsigned)upcr_threadof(p) + 1;
    unsigned long offset = upcr_offset(p);
    int current = (int)(owner % UPCR_SPANS);
    struct upcr_span *s = &site->spans[current];
    upcr_sample_spend(site->joined, 1);
    settle(site);
    unsigned long last = s->last;
    if (s->owner == owner && s->size == bytes && joins(s, offset)) {
        upcr_sample_recorded();
        if (current == site->current)
            foresee(site, s, p, last);
        site->current = current;
        site->before = p;
        return;
    }
    if (!upcr_sample_site(site, p))
        return;
    upcr_sample_recorded();
    if (s->owner)
        put_span(site, s);
    *s = (struct upcr_span){.first = offset, .last = offset, .count = 1, .size = (unsigned)bytes, .owner = owner};
    site->current = current;
    site->before = p;
    if (!site->open) {
        site->open = 1;
        site->next = open_sites;
        open_sites = site;
    }
}

void upcr_record(struct upcr_site *site, upcr_ptr p, unsigned long bytes)
{
    upcr_record_take();
    busy = 1;
    record(site, p, bytes);
    busy = 0;
    upcr_record_drop();
}

void upcr_record_spans(void)
{
    upcr_record_take();
    busy = 1;
    while (open_sites) {
        struct upcr_site *site = open_sites;
        open_sites = site->next;
        site->open = 0;
        settle(site);
        for (int i = 0; i < UPCR_SPANS; i++)
            if (site->spans[i].owner)
                put_span(site, &site->spans[i]);
    }
    busy = 0;
    upcr_record_drop();
}

uint64_t upcr_record_position(void)
{
    return open_sites ? UINT64_MAX : written;
}

void upcr_record_several(void)
{
    if (several)
        return;
    upcr_record_spans(); /* of which nothing is foreseen any longer */
    several = 1;
}

void upcr_record_transfer(int kind, upcr_ptr p, unsigned long bytes, int flags, uint64_t op)
{
    const unsigned long piece = 1UL << 30;
    if (upcr_meeting) {
        upcr_meet_at(upcr_record_site(upcr_caller), p, bytes);
        return;
    }
    upcr_sample_recorded();
    for (unsigned long done = 0; done < bytes; done += piece)
        upcr_record_put(&(struct upcr_record){.kind = (unsigned char)kind,
                                              .flags = (unsigned char)flags,
                                              .owner = (unsigned short)upcr_threadof(p),
                                              .site = upcr_record_site(upcr_caller),
                                              .offset = upcr_offset(p) + done,
                                              .size = (unsigned)(bytes - done < piece ? bytes - done : piece),
                                              .count = 1,
                                              .ticket = op,
                                              .value = upcr_record_running});
}

void upcr_record_read(upcr_ptr p, unsigned long bytes)
{
    if (upcr_recording)
        upcr_record_transfer(UPCR_RECORD_READ, p, bytes, 0, 0);
}

void upcr_record_write(upcr_ptr p, unsigned long bytes)
{
    if (upcr_recording)
        upcr_record_transfer(UPCR_RECORD_WRITE, p, bytes, 0, 0);
}

static int is_shared(const void *p, upcr_ptr *place)
{
    *place = (unsigned long)p - (unsigned long)upcr_node;
    return *place < (unsigned long)upcr_threads << UPCR_OFFSET_BITS;
}

void upcr_record_near_read(const void *p, unsigned long bytes)
{
    upcr_ptr place;
    if (upcr_recording && is_shared(p, &place))
        upcr_record_transfer(UPCR_RECORD_READ, place, bytes, 0, 0);
}

void upcr_record_near_write(const void *p, unsigned long bytes)
{
    upcr_ptr place;
    if (upcr_recording && is_shared(p, &place))
        upcr_record_transfer(UPCR_RECORD_WRITE, place, bytes, 0, 0);
}

/* A short access is sampled as one by an expression; to copy more takes longer than to record it. */
enum { SHORT = 4096 };

void upcr_moves_near(struct upcr_site *site, const void *p, unsigned long bytes)
{
    if (!upcr_sample.relaxed || upcr_sample.shared || bytes == 0)
        return;
    if (bytes <= SHORT) {
        upcr_sees_near(site, p, bytes);
        return;
    }
    upcr_record_take();
    upcr_caller = site;
    if (site->write)
        upcr_record_near_write(p, bytes);
    else
        upcr_record_near_read(p, bytes);
    upcr_caller = NULL;
    upcr_record_drop();
}

/* ---- The beginning and the end. ---- */

void upcr_record_dies(void)
{
    if (!upcr_recording || busy || recording_here)
        return;
    dying = 1;
    upcr_record_spans();
}

/* Signals that end a program, besides those of fault.c. Others have handlers for them too, which come next. */
static const int deadly[] = {SIGABRT, SIGFPE, SIGILL, SIGTERM, SIGINT};
enum { DEADLY = sizeof deadly / sizeof *deadly };
static struct sigaction before[DEADLY];

static void dies(int signal)
{
    upcr_record_dies();
    for (int i = 0; i < DEADLY; i++)
        if (deadly[i] == signal)
            upcr_sigaction(signal, &before[i], NULL);
    raise(signal); /* when this handler has returned */
}

static void foresee_death(void)
{
    struct sigaction handler = {.sa_handler = dies};
    for (int i = 0; i < DEADLY; i++)
        upcr_sigaction(deadly[i], &handler, &before[i]);
}

int upcr_record_prepare(int thread, int threads, unsigned long job)
{
    const char *dir = getenv(UPCR_ENV_SESSION);
    char name[64];
    if (!__start_upcr_sites || !dir || strlen(dir) > sizeof path - 64)
        return 0;
    session = (size_t)snprintf(path, sizeof path, "%s", dir);
    if (!somebody_reads())
        return 0;
    const size_t bytes = UPCR_STREAM_WORDS * sizeof *head + UPCR_STREAM_RECORDS * sizeof *records;
    snprintf(name, sizeof name, UPCR_STREAM_PREFIX "%d", (int)getpid());
    int fd = open(upcr_record_path(name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return 0;
    int fine = posix_fallocate(fd, 0, (off_t)bytes) == 0;
    void *at = fine ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    close(fd);
    if (at == MAP_FAILED)
        return 0;
    head = at;
    records = (struct upcr_record *)(head + UPCR_STREAM_WORDS);
    most = UPCR_STREAM_RECORDS;
    head[UPCR_STREAM_JOB] = job;
    head[UPCR_STREAM_THREAD] = (uint64_t)thread;
    head[UPCR_STREAM_THREADS] = (uint64_t)threads;
    head[UPCR_STREAM_PID] = (uint64_t)getpid();
    return 1;
}

void upcr_record_begin(int all)
{
    if (!all)
        return;
    if (upcr_self == upcr_leader && !upcr_record_describe())
        upcr_say("thread %d cannot write down where the program accesses shared memory; hint: look for room in the "
                 "directory of the session",
                 upcr_thread);
    atomic_store(&head[UPCR_STREAM_MARK], UPCR_RACES_MARK);
    several = GOMP_parallel != NULL;
    upcr_recording = 1;
    upcr_sample_begin(upcr_record_path(UPCR_RACES_NAME), upcr_thread);
    foresee_death();
    upcr_meet_prepare(upcr_record_path(UPCR_MEET_NAME));
}

void upcr_record_end(void)
{
    if (!upcr_recording)
        return;
    upcr_record_spans();
    if (upcr_meeting)
        upcr_meet_step();
    upcr_recording = 0;
    atomic_store(&head[UPCR_STREAM_CLOSED], 1);
}
