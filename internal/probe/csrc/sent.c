#define _GNU_SOURCE
#include "sent.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

bool uk_sending;

enum { PIECES = 64, WHOLE = 64 << 10, SAMPLE = 1 << 10, MOST = 4096, BUCKETS = 1024 };
// A type with gaps that reaches over more than this, or has more data than this, is not looked at.
static const size_t farthest = 8 << 20, largest = 1 << 20;

// How data is read.
struct layout {
    uintptr_t at; // of the first byte, if it is in one piece
    size_t bytes; // of data, as far as it is looked at
    size_t piece, step; // lengths, and distances from one to the next
    unsigned n; // pieces
    bool packed;
    MPI_Datatype all; // if it is packed: a type of our own that is all of it, at base
    void *base;
    uintptr_t low, high; // what that reaches over
};

struct sent {
    struct sent *next;
    uint64_t handle, site, start_site;
    unsigned func, start_func, nwords;
    bool persistent, active;
    struct layout layout;
    uint64_t words[UK_SENT_WORDS], sums[PIECES];
};

static struct sent *table[BUCKETS];
static size_t count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned char data[WHOLE], packed[1 << 20]; // used with the lock held

static struct sent **bucket(uint64_t handle)
{
    return &table[handle * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

// Each step is one to one in the word, and in what came before it: a change of one word alone always shows.
static uint64_t sum(const unsigned char *p, size_t n)
{
    uint64_t h = n, w;
    for (; n >= sizeof w; p += sizeof w, n -= sizeof w) {
        memcpy(&w, p, sizeof w);
        h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    w = 0;
    memcpy(&w, p, n);
    h = (h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ h >> 32;
}

// Where piece i begins in the data. The last one ends with it.
static size_t offset(const struct layout *l, unsigned i)
{
    size_t at = i * l->step;
    return i + 1 == l->n ? l->bytes - l->piece : at;
}

// Divides the data into pieces, of whole words where there are some.
static void divide(struct layout *l)
{
    if (l->bytes <= WHOLE) {
        l->piece = (l->bytes + PIECES - 1) / PIECES;
        l->piece = l->bytes < 8 ? l->bytes : (l->piece + 7) / 8 * 8;
        l->step = l->piece;
        l->n = (unsigned)((l->bytes + l->piece - 1) / l->piece);
    } else {
        l->piece = SAMPLE;
        l->n = PIECES;
        l->step = (l->bytes - SAMPLE) / (PIECES - 1);
    }
}

// Where the kernel does not let a process read its own memory by this call, it is read as it is.
static bool forbidden(void)
{
    return errno == EPERM || errno == ENOSYS;
}

// Reads memory that the program may have unmapped by now, or that only a device can read.
static bool read_pieces(const struct layout *l)
{
    struct iovec to = {data, 0}, from[PIECES];
    for (unsigned i = 0; i < l->n; i++) {
        from[i] = (struct iovec){(void *)(l->at + offset(l, i)), l->piece};
        to.iov_len += l->piece;
    }
    if (process_vm_readv(getpid(), &to, 1, from, l->n, 0) == (ssize_t)to.iov_len)
        return true;
    if (!forbidden())
        return false;
    for (unsigned i = 0; i < l->n; i++)
        memcpy(data + i * l->piece, from[i].iov_base, l->piece);
    return true;
}

// Says whether all pages of a range can be read.
static bool readable(uintptr_t low, uintptr_t high)
{
    const size_t page = 4096;
    for (uintptr_t at = low; at < high;) {
        struct iovec to = {data, 0}, from[PIECES];
        unsigned n = 0;
        for (; n < PIECES && at < high; n++, at = (at / page + 1) * page)
            from[n] = (struct iovec){(void *)at, 1};
        to.iov_len = n;
        if (process_vm_readv(getpid(), &to, 1, from, n, 0) != (ssize_t)n)
            return forbidden();
    }
    return true;
}

static bool pack(const struct layout *l)
{
    typedef int pack_type(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
    int at = 0;
    return readable(l->low, l->high)
           && ASK(MPI_Pack, pack_type, l->base, 1, l->all, packed, (int)sizeof packed, &at, uk_comm_self()) == MPI_SUCCESS
           && (size_t)at >= l->bytes;
}

// Sums up the pieces; false if the data cannot be read.
static bool sum_up(const struct layout *l, uint64_t sums[PIECES])
{
    if (!(l->packed ? pack(l) : read_pieces(l)))
        return false;
    for (unsigned i = 0; i < l->n; i++)
        sums[i] = sum(l->packed ? packed + offset(l, i) : data + i * l->piece, l->piece);
    return true;
}

// Makes a type of our own of what is sent: the program may free its own before the send is complete. Attributes are not
// copied to it, so that no function of the program is called.
static bool keep_type(struct layout *l, const struct uk_sent_call *c, MPI_Count n)
{
    typedef int make_type(int, MPI_Datatype, MPI_Datatype *);
    typedef int commit_type(MPI_Datatype *);
    return n <= INT_MAX && ASK(MPI_Type_contiguous, make_type, (int)n, c->type, &l->all) == MPI_SUCCESS
           && ASK(MPI_Type_commit, commit_type, &l->all) == MPI_SUCCESS;
}

static void drop_type(struct layout *l)
{
    typedef int free_type(MPI_Datatype *);
    if (l->packed)
        ASK(MPI_Type_free, free_type, &l->all);
}

// Finds out where the data of a send is; false if there is none, or it cannot be looked at.
static bool lay_out(struct layout *l, const struct uk_sent_call *c)
{
    typedef int size_type(MPI_Datatype, int *);
    typedef int extent_type(MPI_Datatype, MPI_Aint *, MPI_Aint *);
    int size = 0;
    MPI_Aint lb = 0, extent = 0, first = 0, reach = 0;
    if (c->count <= 0 || ASK(MPI_Type_size, size_type, c->type, &size) != MPI_SUCCESS || size <= 0
        || ASK(MPI_Type_get_extent, extent_type, c->type, &lb, &extent) != MPI_SUCCESS
        || ASK(MPI_Type_get_true_extent, extent_type, c->type, &first, &reach) != MPI_SUCCESS)
        return false;
    *l = (struct layout){.at = (uintptr_t)c->buf + (uintptr_t)first};
    if (reach == size && (c->count == 1 || extent == size)) {
        if (__builtin_mul_overflow((size_t)size, (size_t)c->count, &l->bytes))
            return false;
    } else {
        size_t one = (size_t)size, most = WHOLE / one;
        MPI_Count n = most == 0 ? 1 : c->count < (MPI_Count)most ? c->count : (MPI_Count)most;
        MPI_Aint last = (MPI_Aint)(n - 1) * extent;
        l->low = l->at + (uintptr_t)(last < 0 ? last : 0);
        l->high = l->at + (uintptr_t)reach + (uintptr_t)(last > 0 ? last : 0);
        l->bytes = one * (size_t)n;
        if (l->bytes > largest || reach < 0 || l->high - l->low > farthest || !keep_type(l, c, n))
            return false;
        l->packed = true;
        l->base = (void *)(uintptr_t)c->buf;
    }
    divide(l);
    return true;
}

static void discard(struct sent **p)
{
    struct sent *s = *p;
    *p = s->next;
    drop_type(&s->layout);
    free(s);
    count--;
}

static void forget(uint64_t handle, bool persistent)
{
    for (struct sent **p = bucket(handle); *p;)
        if ((*p)->handle == handle && (persistent || !(*p)->persistent))
            discard(p);
        else
            p = &(*p)->next;
}

void uk_sent_forget(uint64_t handle)
{
    pthread_mutex_lock(&lock);
    forget(handle, true);
    pthread_mutex_unlock(&lock);
}

void uk_sent_begin(uint64_t handle, const struct uk_sent_call *c, bool persistent)
{
    int keep = errno;
    pthread_mutex_lock(&lock);
    // The handle of a persistent request is nobody else's while that lives, so one that is given again has been freed unseen.
    for (struct sent **p = bucket(handle); *p;)
        if ((*p)->handle == handle && ((*p)->persistent || persistent))
            discard(p);
        else
            p = &(*p)->next;
    struct sent *s = count < MOST ? calloc(1, sizeof *s) : NULL;
    if (s && lay_out(&s->layout, c) && (persistent || sum_up(&s->layout, s->sums))) {
        s->handle = handle;
        s->func = c->func;
        s->site = c->site;
        s->nwords = c->n < UK_SENT_WORDS ? c->n : UK_SENT_WORDS;
        memcpy(s->words, c->words, s->nwords * sizeof *s->words);
        s->persistent = persistent;
        s->active = !persistent;
        s->next = *bucket(handle);
        *bucket(handle) = s;
        count++;
    } else if (s) {
        drop_type(&s->layout);
        free(s);
    }
    pthread_mutex_unlock(&lock);
    errno = keep;
}

void uk_sent_start(unsigned func, uint64_t site, const uint64_t *handles, size_t n)
{
    int keep = errno;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < n; i++)
        for (struct sent *s = *bucket(handles[i]); s; s = s->next)
            if (s->handle == handles[i] && s->persistent) {
                s->active = sum_up(&s->layout, s->sums);
                s->start_func = func;
                s->start_site = site;
            }
    pthread_mutex_unlock(&lock);
    errno = keep;
}

static void tell(struct uk_thread *t, const struct sent *s, unsigned piece)
{
    uint64_t head[] = {s->func,  s->site, s->start_func, s->start_site, offset(&s->layout, piece), s->layout.piece, s->layout.bytes,
                       s->layout.packed, s->nwords};
    struct uk_chunk chunks[] = {{head, sizeof head / sizeof *head, UK_WORDS}, {s->words, s->nwords, UK_WORDS}};
    uk_long(t, UK_DATA_CHANGED, UK_DATA, 0, chunks, 2);
}

// Compares one send.
static void compare(struct uk_thread *t, const struct sent *s)
{
    uint64_t now[PIECES];
    if (!s->active || !sum_up(&s->layout, now))
        return;
    for (unsigned i = 0; i < s->layout.n; i++)
        if (now[i] != s->sums[i]) {
            tell(t, s, i);
            return;
        }
}

void uk_sent_end(struct uk_thread *t, uint64_t handle)
{
    int keep = errno;
    pthread_mutex_lock(&lock);
    for (struct sent *s = *bucket(handle); s; s = s->next)
        if (s->handle == handle) {
            compare(t, s);
            s->active = false;
        }
    forget(handle, false);
    pthread_mutex_unlock(&lock);
    errno = keep;
}
