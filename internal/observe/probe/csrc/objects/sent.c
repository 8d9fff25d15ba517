// What sent.h says.
//
// Runs: in recorded calls, and uk_sent_unseen also in calls that are not recorded, or are left by a jump, perhaps in a
// signal handler; uk_sent_freed outside of recorded calls, wherever the program frees memory.
//
// Never: locks in uk_sent_unseen, as a signal may have interrupted the one that has the lock, and as MPI may call the
// program's functions with it held; nor waits for the lock in uk_sent_freed, as a thread of the MPI library may free
// with a lock of that library. The others hold the lock while MPI is asked about datatypes and windows, or packs, and
// while a ring is full. That is sound: they are called after calls that have succeeded, whose arguments are right, so
// no error handler is called; what of the program's is called all the same (its allocator) does not come back here; and
// the agent, which empties rings, waits for nobody. A jump out of a signal handler that interrupted this leaves the
// lock held, as it leaves those of the MPI library: a program cannot do that and go on calling MPI. Without memory, a
// send is not looked at. errno is kept.
#pragma GCC optimize("O2", "no-tree-loop-distribute-patterns") // a few words are copied faster one by one
#include "objects/memory.h"
#include "objects/sent.h"
#include "objects/sent_data.h"
#include "objects/sent_windows.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

unsigned uk_sending;

static void arrive(void)
{
    __atomic_or_fetch(&uk_sending, UK_SENT_MARKS, __ATOMIC_RELAXED);
}

void uk_sent_init(unsigned how, unsigned slowdown, void (*maps)(struct uk_thread *))
{
    uk_sending = how & (UK_SENT_DATA | UK_SENT_LENT);
    const struct uk_marks_windows windows = {
        .wanted = how & UK_SENT_WINDOWS, .all = how & UK_SENT_ALL, .slowdown = slowdown};
    if ((how & UK_SENT_MARKS) && uk_marks_init(arrive, maps, &windows))
        arrive();
}

enum { MOST = 8192, BUCKETS = 1024, ALL = -1, WHOLE = -1 };

struct sent {
    struct sent *next;
    uint64_t handle, site, start_site;
    uint64_t win; // of an operation on a window, 0 of others; it is the handle too if there is no request
    int target;
    int partition; // of a partitioned operation; WHOLE of another
    bool given;    // a partition of a send, which the program gives to MPI after the start
    unsigned func, start_func, nwords;
    bool persistent, active;
    bool compared;         // its data is
    bool marked;           // what belongs to MPI is known
    bool lends;            // memory that a call may free
    struct uk_data data;   // if it is compared
    struct uk_marks marks; // if it is marked
    struct uk_lent lent[2];
    uint64_t words[UK_SENT_WORDS], sums[UK_SENT_PIECES];
};

static struct sent *table[BUCKETS], *spare;
static size_t count, persistents, asked; // all of them, persistent ones, and operations on windows with a request
static bool lost;                        // something may have been completed unseen

// The lock, which is hardly ever held when another thread wants it: a call that sends and one that completes pay for an
// exchange each.
static bool held;

static void await_lock(void)
{
    enum { LOOKS = 64, NANOS = 20000 };
    for (unsigned i = 0; __atomic_load_n(&held, __ATOMIC_RELAXED) || __atomic_exchange_n(&held, true, __ATOMIC_ACQUIRE);
         i++)
        if (i >= LOOKS) // whose turn it is may not have a processor, or wait for room in its ring
            syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = NANOS}, NULL);
}

static void release(void)
{
    __atomic_store_n(&held, false, __ATOMIC_RELEASE);
}

static struct sent **bucket(uint64_t handle)
{
    return &table[handle * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

static bool with_request(const struct sent *s)
{
    return s->win && s->win != s->handle;
}

static void discard(struct sent **p)
{
    struct sent *s = *p;
    *p = s->next;
    if (s->compared)
        uk_data_drop(&s->data);
    if (s->marked)
        uk_marks_drop(&s->marks);
    if (s->lends)
        for (unsigned i = 0; i < sizeof s->lent / sizeof *s->lent; i++)
            uk_lent_off(&s->lent[i]);
    asked -= with_request(s);
    persistents -= s->persistent;
    s->next = spare;
    spare = s;
    __atomic_store_n(&count, count - 1, __ATOMIC_RELAXED);
}

static void forget(uint64_t handle, bool persistent)
{
    for (struct sent **p = bucket(handle); *p;)
        if ((*p)->handle == handle && (persistent || !(*p)->persistent))
            discard(p);
        else
            p = &(*p)->next;
}

// Says that nothing is known of any operation. Of one that another thread has started, this one has heard before.
static bool none(void)
{
    return __atomic_load_n(&count, __ATOMIC_RELAXED) == 0;
}

// Says that there is nothing to look for or to put in order, for which the lock need not be taken.
static bool idle(void)
{
    return none() && !__atomic_load_n(&lost, __ATOMIC_RELAXED);
}

void uk_sent_unseen(void)
{
    // What is hidden is not the program's, and completes nothing of it.
    if (uk_self.hidden || none())
        return;
    uk_marks_doubt(true);
    __atomic_store_n(&lost, true, __ATOMIC_RELEASE);
}

// What an operation uses is the program's again.
static void end(struct sent *s)
{
    s->active = false;
    if (s->marked)
        uk_marks_off(&s->marks);
}

// Takes the lock, with the table in order.
static void take_table(void)
{
    if (UK_UNLIKELY(__atomic_exchange_n(&held, true, __ATOMIC_ACQUIRE)))
        await_lock();
    if (UK_LIKELY(!__atomic_load_n(&lost, __ATOMIC_RELAXED)) || !__atomic_exchange_n(&lost, false, __ATOMIC_ACQUIRE))
        return;
    for (size_t i = 0; i < BUCKETS; i++)
        for (struct sent **p = &table[i]; *p;)
            if ((*p)->persistent) {
                end(*p);
                p = &(*p)->next;
            } else {
                discard(p);
            }
    uk_marks_doubt(false);
}

void uk_sent_forget(uint64_t handle)
{
    if (idle())
        return;
    take_table();
    forget(handle, true);
    release();
}

// Says whether data that an operation sends may have been changed by another process, so that a change says nothing.
static bool others_reach(const struct uk_data *d)
{
    return uk_window_meets(d->low, d->high);
}

// Takes what an operation uses as MPI's.
static void begin(struct sent *s)
{
    const bool vain = s->persistent && others_reach(&s->data); // of others, add has asked
    s->active = s->compared && !vain && uk_data_sums(&s->data, s->sums);
    if (s->marked)
        uk_marks_on(&s->marks);
}

// Forgets what had the handle of a new request. That of a persistent one is nobody else's while that lives, so one that
// is given again has been freed unseen.
static void supplant(uint64_t handle, bool persistent)
{
    for (struct sent **p = bucket(handle); *p && (persistent || persistents > 0);)
        if ((*p)->handle == handle && ((*p)->persistent || persistent))
            discard(p);
        else
            p = &(*p)->next;
}

static bool may_be_freed(const void *buf)
{
    return buf && !uk_memory_fixed((uintptr_t)buf);
}

// Adds what a call has given to MPI; with the lock held.
static void add(uint64_t handle, const struct uk_sent_call *c, bool persistent, uint64_t win, int target, int partition)
{
    if (count >= MOST)
        return;
    struct sent *s = spare;
    if (s)
        spare = s->next;
    else if (!(s = malloc(sizeof *s)))
        return;
    s->compared = c->sends && (uk_sending & UK_SENT_DATA) &&
                  uk_data_find(&s->data, uk_sending & UK_SENT_MORE, c->buf, c->count, c->type);
    if (s->compared && !persistent && others_reach(&s->data)) {
        uk_data_drop(&s->data);
        s->compared = false;
    }
    s->marked = (uk_sending & UK_SENT_MARKS) && uk_marks_find(&s->marks, c->parts, c->nparts);
    s->lends = (uk_sending & UK_SENT_LENT) && (may_be_freed(c->lent[0]) || may_be_freed(c->lent[1]));
    if (!s->compared && !s->marked && !s->lends) {
        s->next = spare;
        spare = s;
        return;
    }
    s->handle = handle;
    s->win = win;
    s->target = target;
    s->partition = partition;
    s->given = partition != WHOLE && c->sends;
    s->func = c->func;
    s->site = c->site;
    s->start_func = 0;
    s->start_site = 0;
    s->nwords = c->n < UK_SENT_WORDS ? c->n : UK_SENT_WORDS;
    for (unsigned i = 0; i < s->nwords; i++)
        s->words[i] = c->words[i];
    s->persistent = persistent;
    s->active = !persistent;
    s->next = *bucket(handle);
    *bucket(handle) = s;
    if (s->lends)
        for (unsigned i = 0; i < sizeof s->lent / sizeof *s->lent; i++)
            uk_lent_on(&s->lent[i], c->lent[i]);
    asked += with_request(s);
    persistents += persistent;
    __atomic_store_n(&count, count + 1, __ATOMIC_RELAXED);
    if (!persistent)
        begin(s);
}

void uk_sent_begin(uint64_t handle, const struct uk_sent_call *c, bool persistent)
{
    int keep = errno;
    take_table();
    if (!c->sends)
        forget(handle, true); // of a send that is over
    supplant(handle, persistent);
    add(handle, c, persistent, 0, ALL, WHOLE);
    release();
    errno = keep;
}

// The thread stands for the request that a blocking call has not.
void uk_sent_inside(struct uk_thread *t, const struct uk_sent_call *c)
{
    int keep = errno;
    take_table();
    supplant((uintptr_t)t, false);
    add((uintptr_t)t, c, false, 0, ALL, WHOLE);
    for (struct sent *s = *bucket((uintptr_t)t); s; s = s->next)
        if (s->handle == (uintptr_t)t)
            s->marks.inside = t->index + 1;
    release();
    errno = keep;
}

void uk_sent_outside(struct uk_thread *t)
{
    uk_sent_end(t, (uintptr_t)t);
}

void uk_sent_lend(uint64_t handle, const void *buf, const void *other, bool persistent)
{
    if (uk_sending & UK_SENT_LENT)
        uk_sent_begin(handle, &(const struct uk_sent_call){.lent = {buf, other}}, persistent);
    else
        uk_sent_forget(handle);
}

bool uk_sent_freed(uintptr_t low, uintptr_t high)
{
    enum { LOOKS = 1000 };
    for (unsigned i = 0; __atomic_load_n(&held, __ATOMIC_RELAXED) || __atomic_exchange_n(&held, true, __ATOMIC_ACQUIRE);
         i++)
        if (i >= LOOKS)
            return false;
    const bool freed = !__atomic_load_n(&lost, __ATOMIC_RELAXED) && uk_lent_freed(low, high);
    release();
    return freed;
}

void uk_sent_parts(uint64_t handle, const struct uk_sent_call *c, int partitions)
{
    typedef int extent_type(MPI_Datatype, MPI_Aint *, MPI_Aint *);
    int keep = errno;
    MPI_Aint lower, extent;
    take_table();
    supplant(handle, true);
    if (partitions <= UK_SENT_PARTS && c->nparts == 1 &&
        ASK(MPI_Type_get_extent, extent_type, c->parts->type, &lower, &extent) == MPI_SUCCESS)
        for (int i = 0; i < partitions; i++) {
            struct uk_part part = *c->parts;
            struct uk_sent_call one = *c;
            part.at = (const char *)part.at + i * part.count * extent;
            one.buf = part.at;
            one.parts = &part;
            one.lent[0] = i == 0 ? c->lent[0] : NULL;
            add(handle, &one, true, 0, ALL, i);
        }
    release();
    errno = keep;
}

// Starts the operation of a persistent request, or a partition of one.
static void start(struct sent *s, unsigned func, uint64_t site)
{
    begin(s);
    s->start_func = func;
    s->start_site = site;
}

void uk_sent_ready(unsigned func, uint64_t site, uint64_t handle, int low, int high)
{
    int keep = errno;
    take_table();
    for (struct sent *s = *bucket(handle); s; s = s->next)
        if (s->handle == handle && s->given && s->partition >= low && s->partition <= high)
            start(s, func, site);
    release();
    errno = keep;
}

void uk_sent_arrived(struct uk_thread *t, uint64_t handle, int partition)
{
    int keep = errno;
    uk_marks_tell(t);
    take_table();
    for (struct sent *s = *bucket(handle); s; s = s->next)
        if (s->handle == handle && s->partition == partition && s->marked)
            uk_marks_off(&s->marks);
    release();
    errno = keep;
}

bool uk_sent_read(MPI_Op op)
{
    static MPI_Op none;
    static bool known;
    if (!__atomic_load_n(&known, __ATOMIC_ACQUIRE)) {
        none = MPI_NO_OP;
        __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    return op != none;
}

void uk_sent_put(uint64_t request, MPI_Win win, int target, const struct uk_sent_call *c)
{
    int keep = errno;
    take_table();
    supplant(request ? request : UK_H(win), false);
    add(request ? request : UK_H(win), c, false, UK_H(win), target, WHOLE);
    release();
    errno = keep;
}

void uk_sent_start(unsigned func, uint64_t site, const uint64_t *handles, size_t n)
{
    int keep = errno;
    take_table();
    for (size_t i = 0; i < n; i++)
        for (struct sent *s = *bucket(handles[i]); s; s = s->next)
            if (s->handle == handles[i] && s->persistent && !s->given)
                start(s, func, site);
    release();
    errno = keep;
}

static void tell(struct uk_thread *t, const struct sent *s, unsigned piece)
{
    uint64_t head[] = {
        [UK_DATA_CHANGED_SENT_FUNC] = s->func,
        [UK_DATA_CHANGED_SENT_SITE] = s->site,
        [UK_DATA_CHANGED_STARTED_FUNC] = s->start_func,
        [UK_DATA_CHANGED_STARTED_SITE] = s->start_site,
        [UK_DATA_CHANGED_OFFSET] = uk_data_offset(&s->data, piece),
        [UK_DATA_CHANGED_LENGTH] = s->data.piece,
        [UK_DATA_CHANGED_BYTES] = s->data.bytes,
        [UK_DATA_CHANGED_GAPS] = s->data.packed,
        [UK_DATA_CHANGED_WORDS] = s->nwords,
    };
    struct uk_chunk chunks[] = {{head, UK_DATA_CHANGED_FIXED, UK_WORDS}, {s->words, s->nwords, UK_WORDS}};
    uk_long(t, UK_DATA_CHANGED, UK_DATA, 0, chunks, 2);
}

// Compares one send.
static void compare(struct uk_thread *t, const struct sent *s)
{
    uint64_t now[UK_SENT_PIECES];
    if (!s->active || !uk_data_sums(&s->data, now))
        return;
    for (unsigned i = 0; i < s->data.n; i++)
        if (now[i] != s->sums[i]) {
            if (!others_reach(&s->data)) // nor since it began
                tell(t, s, i);
            return;
        }
}

void uk_sent_end(struct uk_thread *t, uint64_t handle)
{
    int keep = errno;
    uk_marks_tell(t);
    if (!idle()) {
        take_table();
        for (struct sent *s = *bucket(handle); s; s = s->next)
            if (s->handle == handle) {
                compare(t, s);
                end(s);
            }
        forget(handle, false);
        release();
    }
    errno = keep;
}

// Compares, if t is given, and forgets operations on a window that are in a bucket.
static void settle(struct sent **p, struct uk_thread *t, uint64_t win, int target)
{
    while (*p)
        if ((*p)->win == win && (target == ALL || (*p)->target == target)) {
            if (t)
                compare(t, *p);
            discard(p);
        } else {
            p = &(*p)->next;
        }
}

static void settle_all(struct uk_thread *t, uint64_t win, int target)
{
    int keep = errno;
    if (t)
        uk_marks_tell(t);
    take_table();
    settle(bucket(win), t, win, target);
    for (size_t i = 0; i < BUCKETS && asked > 0; i++)
        settle(&table[i], t, win, target);
    release();
    errno = keep;
}

void uk_sent_settle(struct uk_thread *t, MPI_Win win, int target, bool failed)
{
    settle_all(failed ? NULL : t, UK_H(win), failed ? ALL : target);
}

void uk_sent_drop(MPI_Win win)
{
    settle_all(NULL, UK_H(win), ALL);
    take_table();
    uk_window_freed(win);
    release();
}

void uk_sent_window(MPI_Win win, MPI_Comm comm, const void *base)
{
    take_table();
    uk_window_made(win, comm, base);
    release();
}

void uk_sent_attached(MPI_Win win, const void *base, MPI_Aint size)
{
    take_table();
    uk_window_attached(win, base, size);
    release();
}

void uk_sent_detached(MPI_Win win, const void *base)
{
    take_table();
    uk_window_detached(win, base);
    release();
}
