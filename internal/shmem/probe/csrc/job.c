/* The job, the stream of this PE, and how calls come in. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <shmem.h>

#include "outside/outside.h"
#include "sh.h"
#include "meet.h"

static struct uks_stream *stream;
static struct uks_job *job;
static char mark[4096];
static int me, pes;
static enum { UNBORN, ALIVE, OVER } life;
static int level = SHMEM_THREAD_SINGLE;
static pthread_t first;
static pthread_mutex_t records = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic int inside;  /* threads that are in a call */
static _Atomic int several; /* more than one has been, though the level does not allow that */
static _Thread_local int depth;
static _Thread_local int calls; /* the thread has made one */

void *sh_real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* Whether a thread is in a call, or the program is not between its beginning and its end. */
int sh_busy(void)
{
    return life != ALIVE || inside > 0 || !stream;
}

/* Whether the calling thread makes calls, but is in none, and may have more to say. */
int sh_between(void)
{
    return life == ALIVE && stream && calls && depth == 0;
}

int sh_me(void)
{
    return me;
}
int sh_pes(void)
{
    return pes;
}

void sh_looked(void)
{
    if (stream)
        atomic_fetch_add_explicit(&stream->looks, 1, memory_order_relaxed);
}

/* ---- The files of the session. ---- */

/* The first of some variables that is set, as a number; -1 if none is. */
static int variable(const char *const names[])
{
    for (; *names; names++) {
        const char *text = getenv(*names);
        char *end;
        if (text && *text) {
            long n = strtol(text, &end, 10);
            if (!*end && n >= 0 && n < 1 << 24)
                return (int)n;
        }
    }
    return -1;
}

/* A number that the PEs of a job share. */
static uint64_t job_number(void)
{
    static const char *const names[] = {"PMIX_NAMESPACE", "OMPI_MCA_orte_ess_jobid", "PMI_JOBID", "SLURM_JOB_ID",
                                        "SLURM_STEP_ID"};
    uint64_t sum = SH_HASH64;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = getenv(names[i]);
        sum = sh_hash64(sum, text ? text : "");
    }
    return sum;
}

static void *map_file(const char *path, size_t bytes)
{
    int f = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (f < 0)
        return NULL;
    void *at =
        ftruncate(f, (off_t)bytes) == 0 ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, f, 0) : MAP_FAILED;
    close(f);
    return at == MAP_FAILED ? NULL : at;
}

static void forked(void)
{
    stream = NULL; /* it is the parent's */
    sh_own_ends();
}

static void attach(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", NULL};
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", NULL};
    const char *session = getenv(UKS_ENV_SESSION);
    char path[4200];
    struct stat dir;
    /* Others can make directories of that name. */
    if (!session || lstat(session, &dir) != 0 || !S_ISDIR(dir.st_mode) || dir.st_uid != geteuid())
        return;
    if ((size_t)snprintf(mark, sizeof mark, "%s/%s", session, UKS_MARK) >= sizeof mark || access(mark, F_OK) != 0)
        return;
    me = variable(ranks);
    pes = variable(sizes);
    if (me < 0 || pes < 1 || me >= pes)
        return;
    uint64_t number = job_number();
    snprintf(path, sizeof path, "%s/%s%llx", session, UKS_JOB, (unsigned long long)number);
    job = map_file(path, sizeof *job);
    snprintf(path, sizeof path, "%s/%s%d", session, UKS_PE, (int)getpid());
    struct uks_stream *made = job ? map_file(path, sizeof *made) : NULL;
    if (!made)
        return;
    atomic_store(&job->mark, UKS_JOB_MARK);
    sh_sites(job, session);
    made->job = number;
    made->pe = (uint64_t)me;
    made->pes = (uint64_t)pes;
    made->pid = (uint64_t)getpid();
    atomic_store(&made->mark, UKS_STREAM_MARK);
    pthread_atfork(NULL, NULL, forked);
    uk_meet_open(session, me);
    sh_own_mode(mark);
    stream = made;
}

/* ---- Records. ---- */

static void wait_for_room(struct uks_stream *s, uint64_t written)
{
    const struct timespec nap = {0, 200000};
    for (unsigned naps = 0; written - atomic_load(&s->read) >= UKS_STREAM_RECORDS; naps++) {
        if (naps % 256 == 255 && access(mark, F_OK) != 0) {
            stream = NULL;
            return;
        }
        nanosleep(&nap, NULL);
    }
}

void sh_put_record(struct sh_call *c, struct upcr_record r)
{
    struct uks_stream *s = stream;
    if (!s || !c->recorded)
        return;
    int locks = level == SHMEM_THREAD_MULTIPLE || atomic_load(&several);
    if (locks)
        pthread_mutex_lock(&records);
    uint64_t written = atomic_load_explicit(&s->written, memory_order_relaxed);
    if (written - atomic_load(&s->read) >= UKS_STREAM_RECORDS)
        wait_for_room(s, written);
    if (stream) {
        if (!r.site)
            r.site = c->site;
        r.ticket = atomic_fetch_add(&job->tickets, 1) + 1;
        s->records[written % UKS_STREAM_RECORDS] = r;
        atomic_store_explicit(&s->written, written + 1, memory_order_release);
    }
    if (locks)
        pthread_mutex_unlock(&records);
}

uint64_t sh_tickets(void)
{
    return atomic_load(&job->tickets);
}

/* Whether no other PE has entered a collective call, and this one does now. */
int sh_is_first(uint64_t call)
{
    return atomic_fetch_add(&job->entered[call % UKS_ENTERED_SLOTS], 1) == 0;
}

/* Nothing else is recorded of a call after that, unless only its thread is wrong. */
void sh_wrong(struct sh_call *c, int mistake, uint64_t offset, uint64_t count, uint64_t value, unsigned argument)
{
    sh_put_record(c, (struct upcr_record){.kind = UKS_WRONG,
                                          .flags = (unsigned char)mistake,
                                          .offset = offset,
                                          .count = count,
                                          .value = value,
                                          .size = argument});
}

/* ---- Calls. ---- */

static void enter(struct sh_call *c, const char *name, const void *caller, int tells)
{
    int saved = errno;
    *c = (struct sh_call){.name = name, .caller = caller, .nested = depth++ > 0};
    if (c->nested)
        return;
    pthread_once(&once, attach);
    if (!stream)
        return;
    atomic_fetch_add_explicit(&stream->calls, 1, memory_order_relaxed);
    c->site = sh_site(name, caller);
    c->recorded = calls = 1;
    if (uk_meet)
        uk_meet_at((uint64_t)caller);
    int others = atomic_fetch_add(&inside, 1);
    if (life == ALIVE && level != SHMEM_THREAD_MULTIPLE && !pthread_equal(pthread_self(), first) &&
        (level != SHMEM_THREAD_SERIALIZED || others > 0)) {
        atomic_store(&several, 1);
        sh_wrong(c, UKS_WRONG_THREAD, (uint64_t)level, 0, 0, 0);
        c->recorded = others == 0; /* the call is made all the same, and others may wait for it */
    }
    if (c->recorded && life == ALIVE && tells) {
        sh_external_tell(c);
        sh_own_tell(c);
    }
    errno = saved;
}

void sh_enter(struct sh_call *c, const char *name, const void *caller)
{
    enter(c, name, caller, 1);
}

/* A call by which nobody learns anything: what the PE has accessed itself is recorded later. */
void sh_enter_aside(struct sh_call *c, const char *name, const void *caller)
{
    enter(c, name, caller, 0);
}

/* Of calls that may be made at any time nothing is said. */
void sh_leave(struct sh_call *c)
{
    depth--;
    if (c->context > 0)
        sh_context_left(c);
    if (!c->nested && c->site)
        atomic_fetch_sub(&inside, 1);
}

/* A call that needs the library: before or after its life nothing else is recorded of it. */
void sh_needs(struct sh_call *c)
{
    if (life == ALIVE || !c->recorded)
        return;
    sh_wrong(c, life == UNBORN ? UKS_BEFORE_INIT : UKS_AFTER_FINALIZE, 0, 0, 0, 0);
    c->recorded = 0;
}

void sh_initialises(struct sh_call *c, int asked)
{
    if (life != UNBORN)
        sh_wrong(c, UKS_INIT_TWICE, 0, 0, 0, 0);
    else if (asked < SHMEM_THREAD_SINGLE || asked > SHMEM_THREAD_MULTIPLE)
        sh_wrong(c, UKS_WRONG_LEVEL, (uint64_t)(int64_t)asked, 0, 0, 0);
}

void sh_initialised(struct sh_call *c, int provided)
{
    if (life != UNBORN)
        return;
    life = ALIVE;
    first = pthread_self();
    level = provided;
    if (provided > SHMEM_THREAD_SINGLE)
        sh_put_record(c, (struct upcr_record){.kind = UKS_THREADS, .size = (unsigned)provided});
    if (c->recorded)
        sh_own_begins();
    uk_outside_init();
    sh_death_init();
}

void sh_finalises(struct sh_call *c)
{
    if (c->recorded)
        sh_held_at_end(c);
}

void sh_finalised(struct sh_call *c)
{
    if (c->nested)
        return;
    life = OVER;
    sh_put_record(c, (struct upcr_record){.kind = UKS_END});
}

/*
 * The process ends by a signal, or, if that is 0, with an exit status. Before the end of shmem_finalize that is noted,
 * the first cause alone. An exit within a call is the library's, and counts as one with status 0. Runs in signal
 * handlers.
 */
void sh_died(int sig, int code, int sender, void *pc)
{
    struct uks_stream *s = stream;
    struct timespec now;
    if (!s || life != ALIVE || s->pid != (uint64_t)getpid() || atomic_load(&s->death) != 0)
        return;
    clock_gettime(CLOCK_MONOTONIC, &now);
    s->death_pc = (uint64_t)pc;
    s->death_nanos = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    uint64_t cause = sig ? UKS_DIED_SIGNAL : UKS_DIED_EXIT, what = sig          ? (uint64_t)sig
                                                                   : inside > 0 ? 0
                                                                                : (uint64_t)code & 0xff;
    atomic_store(&s->death, cause << 56 | what << 32 | (uint32_t)sender);
    if (!sig && what != 0)
        stream = NULL; /* calls that the library makes to finalise itself are not the program's */
}
