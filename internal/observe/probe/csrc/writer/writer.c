// Rings: how they are made, left and taken over, and what is rare in writing them.
//
// Runs: at MPI_Init, at a thread's first call of MPI and at its end, where rings are made, taken and left; in a
// recorded call, where a ring is full or a record long, also in a signal handler of the program's that jumps out of the
// call; uk_step_aside in a child after fork too.
//
// Never: allocates but by mmap, and ends nothing, as the program may be short of memory. The one lock is for rings that
// are left and taken: it is held for a few instructions that call nothing. (Ranks make their rings one after the other,
// by a lock on the session's directory, which the kernel takes from one that dies.) In a call it does not lock, so that
// a jump can leave it anywhere, and keeps errno; it wakes the agent when a ring is half full, and sleeps in the kernel
// while it is full, but asks every 50 ms whether the agent lives, for a program must not hang because of one that does
// not. The functions of the C library that it calls for that (kill, open, read, close) may be the program's: they get
// nothing but names and numbers.
#define _GNU_SOURCE
#include "writer/writer.h"
#include "writer/lock.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// Each call writes both: a store that reached over two cache lines would have it wait.
__thread struct uk_thread uk_self __attribute__((aligned(64), tls_model("initial-exec")));
__thread struct uk_call uk_call __attribute__((aligned(64), tls_model("initial-exec")));
struct uk_stamps uk_stamps;

void *uk_pages(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

// Maps the header and, behind it, the slots twice.
static struct uk_ring_header *map_twice(int fd, size_t slots)
{
    size_t bytes = slots * UK_SLOT_SIZE;
    unsigned char *at = mmap(NULL, UK_HEADER_SIZE + 2 * bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return NULL;
    int flags = MAP_SHARED | MAP_FIXED | MAP_POPULATE;
    if (mmap(at, UK_HEADER_SIZE + bytes, PROT_READ | PROT_WRITE, flags, fd, 0) == MAP_FAILED ||
        mmap(at + UK_HEADER_SIZE + bytes, bytes, PROT_READ | PROT_WRITE, flags, fd, UK_HEADER_SIZE) == MAP_FAILED) {
        int cause = errno;
        munmap(at, UK_HEADER_SIZE + 2 * bytes);
        errno = cause;
        return NULL;
    }
    return (struct uk_ring_header *)at;
}

// Says whether a file of that size leaves enough of its file system to the program and its MPI library.
static bool affordable(int fd, uint64_t bytes)
{
    struct statvfs fs;
    if (fstatvfs(fd, &fs) != 0)
        return true;
    uint64_t reserve = fs.f_blocks * fs.f_frsize / UK_RESERVE_SHARE;
    return fs.f_bavail * fs.f_frsize >= bytes + (reserve < UK_RESERVE_MOST ? reserve : UK_RESERVE_MOST);
}

// Allocates the file of a ring, one thread of the session after the other: those that look at the same time would all
// find enough, and together take what is to stay free. Where a directory cannot be locked, it continues without.
static int allocate(int fd, off_t bytes, const char *session)
{
    int turn = open(session, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    while (turn >= 0 && flock(turn, LOCK_EX) != 0 && errno == EINTR)
        continue;
    int rc = affordable(fd, (uint64_t)bytes) ? 0 : ENOSPC;
    while (rc == 0 && (rc = posix_fallocate(fd, 0, bytes)) == EINTR)
        rc = 0;
    if (turn >= 0)
        close(turn);
    return rc;
}

// The number by which Open MPI calls a job before release 5, by which what the job leaves is found if all of it is
// killed; 0 if there is none.
static uint32_t job(void)
{
    const char *name = getenv("PMIX_NAMESPACE");
    return name ? (uint32_t)strtoul(name, NULL, 10) : 0;
}

// Fills the file of a new ring and maps it. The space is allocated now: memory that runs out later would be a SIGBUS.
static struct uk_ring_header *fill(int fd, const char *session, unsigned slots, pid_t tid, unsigned index)
{
    int rc = allocate(fd, UK_HEADER_SIZE + (off_t)slots * UK_SLOT_SIZE, session);
    if (rc != 0) {
        errno = rc;
        return NULL;
    }
    struct uk_ring_header *ring = map_twice(fd, slots);
    if (ring) {
        ring->magic = UK_MAGIC;
        ring->version = UK_VERSION;
        ring->slots = slots;
        ring->pid = (uint32_t)getpid();
        ring->tid = (uint32_t)tid;
        ring->thread = index;
        ring->job = job();
    }
    return ring;
}

void uk_bell(struct uk_control *control)
{
    __atomic_add_fetch(&control->bell, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &control->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

// Takes the consumer's position over, so that the thread comes back here when the ring is half full, and then when it
// is full; or soon, as long as nobody has opened it.
static void take_over(struct uk_thread *t, uint64_t tail, unsigned slots)
{
    const uint64_t soon = t->capacity - slots - UK_LOOK_AFTER, half = t->capacity / 2;
    t->tail = tail;
    if (t->head + slots - tail <= half)
        t->tail = tail - half;
    else
        uk_bell(t->control);
    if (t->head - tail < soon && __atomic_load_n(&t->ring->reader, __ATOMIC_ACQUIRE) == UK_READER_NONE)
        t->tail = t->head - soon;
}

// Makes a ring that of a thread, from where its last record ends.
static void settle(struct uk_thread *t, struct uk_ring_header *ring, struct uk_control *control, unsigned index)
{
    t->ring = ring;
    t->data = (unsigned char *)ring + UK_HEADER_SIZE;
    t->head = t->next = ring->head;
    t->capacity = ring->slots;
    t->mask = ring->slots - 1;
    t->kept = 0;
    t->index = index;
    t->control = control;
    take_over(t, __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE), 1);
    uk_fold_create(t);
    uk_again_create(t);
}

bool uk_ring_create(struct uk_thread *t, const char *session, struct uk_control *control, unsigned index)
{
    unsigned slots = control->slots;
    if (slots < UK_MIN_SLOTS || (slots & (slots - 1)) != 0 || slots > 1u << 24) {
        errno = EINVAL;
        return false;
    }
    pid_t tid = (pid_t)syscall(SYS_gettid);
    char temp[4096], name[4096];
    snprintf(temp, sizeof temp, "%s/%s%d.%d", session, UK_TEMP_PREFIX, (int)getpid(), (int)tid);
    snprintf(name, sizeof name, "%s/%s%d.%d", session, UK_RING_PREFIX, (int)getpid(), (int)tid);
    // A thread may have the number of one that ended: its ring must not be overwritten.
    for (unsigned again = 1; access(name, F_OK) == 0; again++)
        snprintf(name, sizeof name, "%s/%s%d.%d.%u", session, UK_RING_PREFIX, (int)getpid(), (int)tid, again);
    int fd = open(temp, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    struct uk_ring_header *ring = fill(fd, session, slots, tid, index);
    int cause = errno;
    close(fd);
    if (!ring || rename(temp, name) != 0) {
        cause = ring ? errno : cause;
        unlink(temp);
        errno = cause;
        return false;
    }
    settle(t, ring, control, index);
    __atomic_add_fetch(&control->rings, 1, __ATOMIC_RELEASE);
    uk_bell(control);
    return true;
}

// Rings of threads that have ended.
static struct {
    uk_lock_t lock;
    struct uk_ring_header *ring[64];
    size_t n;
} left;

void uk_ring_leave(struct uk_thread *t)
{
    uk_again_leave(t);
    uk_fold_leave(t);
    struct uk_ring_header *ring = t->ring;
    size_t bytes = UK_HEADER_SIZE + 2 * (t->mask + 1) * UK_SLOT_SIZE;
    t->ring = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); // a signal handler must not find a ring that is another's
    uk_lock(&left.lock);
    bool kept = left.n < sizeof left.ring / sizeof *left.ring;
    if (kept)
        left.ring[left.n++] = ring;
    uk_unlock(&left.lock);
    if (!kept)
        munmap(ring, bytes);
}

bool uk_ring_take(struct uk_thread *t, struct uk_control *control, unsigned index)
{
    uk_lock(&left.lock);
    struct uk_ring_header *ring = left.n > 0 ? left.ring[--left.n] : NULL;
    uk_unlock(&left.lock);
    if (!ring)
        return false;
    settle(t, ring, control, index);
    __atomic_store_n(&ring->polls, 0, __ATOMIC_RELEASE);
    uint64_t *w = uk_begin(t, UK_DATA_THREAD_BEGIN, UK_DATA, 0, UK_DATA_THREAD_BEGIN_FIXED);
    w[UK_DATA_THREAD_BEGIN_INDEX] = index;
    w[UK_DATA_THREAD_BEGIN_TID] = (uint64_t)syscall(SYS_gettid);
    uk_commit(t);
    return true;
}

void uk_step_aside(struct uk_thread *t)
{
    size_t bytes = UK_HEADER_SIZE + (UK_MAX_SLOTS + 1) * UK_SLOT_SIZE; // the longest record, and one before it
    void *at = uk_pages(bytes);
    if (!at)
        return;
    // The old mapping stays: a signal handler of this thread, or the process's note of death, may still use it.
    t->ring = at;
    t->data = (unsigned char *)at + UK_HEADER_SIZE;
    t->mask = 0;
    t->capacity = UINT64_MAX;
    t->tail = 0;
    t->fold = NULL;
    t->folding = UK_WRITES;
    t->expected = NULL;
    t->rest = UK_OFF;
}

void uk_give_up(struct uk_thread *t)
{
    if (!t->ring || t->mask == 0)
        return;
    int keep = errno;
    __atomic_store_n(&t->ring->left, 1, __ATOMIC_RELEASE);
    uk_step_aside(t);
    errno = keep;
}

// Says whether the process of that number is another than the one that was started then, or has ended and is only still
// counted.
static bool replaced(uint32_t pid, uint64_t start)
{
    char name[64], text[1024];
    snprintf(name, sizeof name, "/proc/%u/stat", pid);
    int fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n > 0 ? n : 0] = '\0';
    // After the name, which may hold anything: the state is field 3, the start field 22 (proc(5)).
    char *at = strrchr(text, ')');
    if (!at || at[1] != ' ')
        return false;
    at += 2;
    if (*at == 'Z' || *at == 'X')
        return true;
    for (int field = 3; field < 22 && at; field++)
        at = strchr(at + 1, ' ');
    return at && start != 0 && strtoull(at, NULL, 10) != start;
}

bool uk_agent_gone(const struct uk_control *control)
{
    if (__atomic_load_n(&control->state, __ATOMIC_ACQUIRE) != UK_WATCHING)
        return true;
    uint32_t pid = __atomic_load_n(&control->agent_pid, __ATOMIC_ACQUIRE);
    // Signal 0 ends nothing: it asks whether there is such a process.
    return (kill((pid_t)pid, 0) != 0 && errno == ESRCH) ||
           replaced(pid, __atomic_load_n(&control->agent_start, __ATOMIC_ACQUIRE));
}

bool uk_ring_unread(const struct uk_ring_header *ring, const struct uk_control *control)
{
    uint32_t reader = __atomic_load_n(&ring->reader, __ATOMIC_SEQ_CST);
    return reader == UK_READER_UNREAD ||
           (reader == UK_READER_NONE && __atomic_load_n(&control->unread, __ATOMIC_ACQUIRE) != 0);
}

bool uk_wait(struct uk_thread *t, const uint64_t *word, uint64_t seen, bool waited)
{
    struct uk_ring_header *ring = t->ring;
    const struct timespec soon = {.tv_nsec = 50 * 1000 * 1000};
    if (__atomic_load_n(&ring->reader, __ATOMIC_ACQUIRE) == UK_READER_UNREAD || (waited && uk_agent_gone(t->control)))
        return false;
    // The consumer looks at waiting after it has moved on or refused the ring, so one of the two sides sees the other's
    // store.
    __atomic_store_n(&ring->waiting, 1, __ATOMIC_SEQ_CST);
    if (uk_ring_unread(ring, t->control))
        return false;
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) == seen)
        syscall(SYS_futex, &ring->waiting, FUTEX_WAIT, 1, &soon, NULL, 0);
    return true;
}

void uk_room(struct uk_thread *t, unsigned slots)
{
    const int keep = errno;
    for (bool waited = false;; waited = true) {
        uint64_t tail = __atomic_load_n(&t->ring->tail, __ATOMIC_ACQUIRE);
        if (t->kept <= tail)
            t->capacity = t->mask + 1;
        // By a stray pointer of the program's: the agent would never say otherwise.
        bool damaged = t->head - tail > t->mask + 1;
        if (!damaged && t->head + slots - tail <= t->capacity &&
            __atomic_load_n(&t->ring->reader, __ATOMIC_ACQUIRE) != UK_READER_UNREAD) {
            take_over(t, tail, slots);
            errno = keep;
            return;
        }
        uk_bell(t->control);
        if (damaged || !uk_wait(t, &t->ring->tail, tail, waited))
            break;
    }
    uk_give_up(t);
    errno = keep;
}

void uk_poll_forget(struct uk_thread *t, bool succeeded)
{
    uint64_t misses = t->poll.count + 1;
    t->poll.live = false;
    if (succeeded || misses > 1) {
        uint64_t *w = uk_begin(t, UK_DATA_POLLED, UK_DATA, 0, UK_DATA_POLLED_FIXED);
        w[UK_DATA_POLLED_MISSES] = misses;
        uk_commit(t);
    }
    if (t->poll.count) {
        t->poll.count = 0;
        __atomic_store_n(&t->ring->polls, 0, __ATOMIC_RELEASE);
    }
}

// Copies count words, from word number skip on, of a chunk to w.
static void copy_words(uint64_t *w, const struct uk_chunk *c, size_t skip, size_t count)
{
    switch (c->form) {
    case UK_WORDS:
        memcpy(w, (const uint64_t *)c->at + skip, count * sizeof *w);
        break;
    case UK_INTS:
        for (size_t i = 0; i < count; i++)
            w[i] = (uint64_t)(int64_t)((const int *)c->at)[skip + i];
        break;
    case UK_UINTS:
        for (size_t i = 0; i < count; i++)
            w[i] = ((const uint32_t *)c->at)[skip + i];
        break;
    case UK_BYTES: {
        size_t bytes = c->n - skip * sizeof *w;
        w[count - 1] = 0;
        memcpy(w, (const char *)c->at + skip * sizeof *w, bytes < count * sizeof *w ? bytes : count * sizeof *w);
        break;
    }
    }
}

static size_t chunk_words(const struct uk_chunk *c)
{
    return c->form == UK_BYTES ? (c->n + 7) / 8 : c->n;
}

void uk_long(struct uk_thread *t, unsigned id, unsigned kind, uint64_t site, const struct uk_chunk *chunks,
             unsigned nchunks)
{
    size_t left = 0;
    for (unsigned i = 0; i < nchunks; i++)
        left += chunk_words(&chunks[i]);
    if (t->poll.live && kind != UK_DATA)
        uk_poll_forget(t, kind == UK_EXIT);
    uint32_t stamp = 0;
    bool stamped = false, last;
    unsigned c = 0;
    size_t skip = 0;
    do {
        last = left <= UK_WORDS_MAX;
        size_t room = last ? left : UK_WORDS_MAX;
        uint64_t *w;
        if (last && !stamped) {
            w = uk_begin(t, id, kind, site, (unsigned)room);
        } else {
            struct uk_record_header *r = uk_reserve(t, id, last ? kind : UK_PART, last ? site : 0, (unsigned)room);
            if (!stamped) {
                stamp = uk_stamp();
                stamped = true;
                if (kind == UK_ENTER)
                    t->stamp = stamp;
            }
            r->stamp = stamp;
            w = (uint64_t *)(r + 1);
        }
        left -= room;
        while (room > 0) {
            size_t count = chunk_words(&chunks[c]) - skip;
            if (count > room)
                count = room;
            if (count > 0)
                copy_words(w, &chunks[c], skip, count);
            w += count;
            room -= count;
            skip += count;
            if (skip == chunk_words(&chunks[c])) {
                c++;
                skip = 0;
            }
        }
        uk_commit(t);
    } while (!last);
}
