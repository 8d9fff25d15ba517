// What sent_data.h says.
//
// Runs: in recorded calls, with the lock of sent.c: its buffers are there once.
//
// Never: reads memory of the program's that may be gone, or that another thread can take away: a load there would be a
// SIGSEGV that the program has not made. Never changes it either, nor calls functions of the program's: types are made
// without attributes, whose copy and delete functions would be. It locks nothing more. It may change errno, which its
// callers keep. Without memory, the data is not looked at.
#define _GNU_SOURCE
#pragma GCC optimize("O2")
#include "objects/sent_data.h"
#include "objects/memory.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// How much is looked at. Data up to whole is looked at all over, in so many pieces at most; of more, so many samples. A
// type with gaps that reaches over more than farthest, or one element of which has more data than largest, is not
// looked at.
struct measure {
    size_t whole;
    unsigned pieces, samples;
    size_t sample, largest, farthest;
};
static const struct measure some = {4 << 10, 16, 4, 256, 4 << 10, 32 << 10};
static const struct measure more = {64 << 10, UK_SENT_PIECES, UK_SENT_PIECES, 1 << 10, 1 << 20, 8 << 20};

enum { PAGE = 4096, FEW = 4 };
static unsigned char data[64 << 10], packed[1 << 20];

// Each step is one to one in the word, and in what came before it: a change of one word alone always shows.
static inline uint64_t step(uint64_t h, uint64_t word)
{
    h ^= word;
    return (h << 23 | h >> 41) * UINT64_C(0x9e3779b97f4a7c15);
}

static inline uint64_t word(const unsigned char *p)
{
    uint64_t w;
    __builtin_memcpy(&w, p, sizeof w);
    return w;
}

// The last word, of fewer bytes than one has.
static inline uint64_t rest(const unsigned char *p, size_t n)
{
    uint32_t half = 0;
    uint64_t w = 0;
    if (n >= sizeof half) {
        __builtin_memcpy(&half, p, sizeof half);
        p += sizeof half;
        n -= sizeof half;
    }
    for (; n > 0; p++, n--)
        w = w << 8 | *p;
    return w << 32 | half;
}

// Four sums at a time, as each step has to wait for the one before it.
static uint64_t sum(const unsigned char *p, size_t n)
{
    uint64_t a = n;
    if (n >= 32) {
        uint64_t b = 1, c = 2, d = 3;
        for (; n >= 32; p += 32, n -= 32) {
            a = step(a, word(p));
            b = step(b, word(p + 8));
            c = step(c, word(p + 16));
            d = step(d, word(p + 24));
        }
        a = step(step(step(a, b), c), d);
    }
    for (; n >= 8; p += 8, n -= 8)
        a = step(a, word(p));
    return n > 0 ? step(a, rest(p, n)) : a;
}

// Divides the data into pieces, of whole words where there are some.
static void divide(struct uk_data *d, const struct measure *m)
{
    if (d->bytes <= 8) {
        d->piece = d->step = d->bytes;
        d->n = 1;
    } else if (d->bytes <= m->whole) {
        d->piece = (d->bytes + m->pieces - 1) / m->pieces;
        d->piece = d->step = (d->piece + 7) / 8 * 8;
        d->n = (unsigned)((d->bytes + d->piece - 1) / d->piece);
    } else {
        d->piece = m->sample;
        d->n = m->samples;
        d->step = (d->bytes - m->sample) / (m->samples - 1);
        if (d->step > PAGE)
            d->step -= d->step % PAGE; // few samples then lie in two pages
    }
}

// Whether the kernel can read a page, at the 8 bytes around an address: it takes the set of signals from there before
// it finds that the request is none.
static bool page_there(uintptr_t at)
{
    int keep = errno;
    bool there = syscall(SYS_rt_sigprocmask, -1, at & ~(uintptr_t)7, NULL, 8) != 0 && errno == EINVAL;
    errno = keep;
    return there;
}

static bool pages_there(uintptr_t low, uintptr_t high)
{
    for (uintptr_t at = low; at < high; at = (at / PAGE + 1) * PAGE)
        if (!page_there(at))
            return false;
    return true;
}

static size_t pages(uintptr_t low, uintptr_t high)
{
    return (high - 1) / PAGE - low / PAGE + 1;
}

// Whether the bytes from low to high are there and stay there while they are read. Few pages are asked for one by one.
static bool stays(uintptr_t low, uintptr_t high)
{
    return uk_memory_stays(low, high) ||
           (!uk_memory_multithreaded() && pages(low, high) <= FEW && pages_there(low, high));
}

// Copies memory that may not be there. Where the kernel does not let a process read its own memory by this call, only a
// process without other threads can be sure that a page stays while it is read.
static bool copy(void *to, const struct iovec *from, unsigned n, size_t bytes)
{
    struct iovec all = {to, bytes};
    if (process_vm_readv(getpid(), &all, 1, from, n, 0) == (ssize_t)bytes)
        return true;
    if ((errno != EPERM && errno != ENOSYS) || uk_memory_multithreaded())
        return false;
    for (unsigned char *p = to; n > 0; p += from->iov_len, from++, n--) {
        uintptr_t at = (uintptr_t)from->iov_base;
        if (!pages_there(at, at + from->iov_len))
            return false;
        memcpy(p, from->iov_base, from->iov_len);
    }
    return true;
}

// The same of the pieces of data in one piece.
static bool pieces_stay(const struct uk_data *d)
{
    if (d->step == d->piece || d->n > FEW)
        return stays(d->low, d->high);
    for (unsigned i = 0; i < d->n; i++) {
        uintptr_t at = d->at + uk_data_offset(d, i);
        if (!stays(at, at + d->piece))
            return false;
    }
    return true;
}

// Copies the pieces of data in one piece, one behind the other.
static bool copy_pieces(const struct uk_data *d)
{
    struct iovec from[UK_SENT_PIECES];
    for (unsigned i = 0; i < d->n; i++)
        from[i] = (struct iovec){(void *)(d->at + uk_data_offset(d, i)), d->piece};
    return copy(data, from, d->n, d->n * d->piece);
}

// Packs data with gaps where it is, if that stays there; else a copy of all that it reaches over.
static bool pack(const struct uk_data *d)
{
    typedef int pack_type(const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
    const size_t reach = d->high - d->low;
    char *room = NULL, *base = d->base;
    MPI_Comm comm;
    if (!uk_comm_at_hand(&comm))
        return false;
    if (!stays(d->low, d->high)) {
        struct iovec from = {(void *)d->low, reach};
        room = malloc(reach);
        if (!room || !copy(room, &from, 1, reach)) {
            free(room);
            return false;
        }
        base = (char *)((uintptr_t)room + ((uintptr_t)d->base - d->low));
    }
    int at = 0;
    bool done = ASK(MPI_Pack, pack_type, base, 1, d->all, packed, (int)sizeof packed, &at, comm) == MPI_SUCCESS &&
                (size_t)at >= d->bytes;
    free(room);
    return done;
}

bool uk_data_sums(const struct uk_data *d, uint64_t sums[UK_SENT_PIECES])
{
    const unsigned char *from = packed;
    bool together = false; // piece by piece, one behind the other
    if (d->packed) {
        if (!pack(d))
            return false;
    } else if (pieces_stay(d)) {
        from = (const unsigned char *)d->at;
    } else {
        if (!copy_pieces(d))
            return false;
        from = data;
        together = true;
    }
    for (unsigned i = 0; i < d->n; i++)
        sums[i] = sum(from + (together ? i * d->piece : uk_data_offset(d, i)), d->piece);
    return true;
}

// Those have nothing before or behind them and are never freed; of others is asked each time.
size_t uk_data_dense(MPI_Datatype type)
{
    typedef int size_type(MPI_Datatype, int *);
    typedef int extent_type(MPI_Datatype, MPI_Aint *, MPI_Aint *);
    static struct {
        uint64_t handle;
        size_t size;
    } known[64];
    const uint64_t handle = UK_H(type);
    const unsigned at = (unsigned)(handle * UINT64_C(0x9e3779b97f4a7c15) >> 58);
    if (known[at].handle == handle)
        return known[at].size;
    int n, combiner = -1, size = 0;
    MPI_Aint low = 0, extent = 0, first = 0, reach = 0;
    if (uk_envelope(type, &n, &n, &n, &combiner) != MPI_SUCCESS || combiner != MPI_COMBINER_NAMED ||
        ASK(MPI_Type_size, size_type, type, &size) != MPI_SUCCESS || size <= 0 ||
        ASK(MPI_Type_get_extent, extent_type, type, &low, &extent) != MPI_SUCCESS ||
        ASK(MPI_Type_get_true_extent, extent_type, type, &first, &reach) != MPI_SUCCESS || low != 0 || first != 0 ||
        extent != size || reach != size)
        return 0;
    known[at].handle = handle;
    known[at].size = (size_t)size;
    return (size_t)size;
}

// Makes a type of our own of what is sent: the program may free its own before the send is complete. Attributes are not
// copied to it, so that no function of the program is called.
static bool keep_type(struct uk_data *d, MPI_Datatype type, MPI_Count n)
{
    typedef int make_type(int, MPI_Datatype, MPI_Datatype *);
    typedef int commit_type(MPI_Datatype *);
    return n <= INT_MAX && ASK(MPI_Type_contiguous, make_type, (int)n, type, &d->all) == MPI_SUCCESS &&
           ASK(MPI_Type_commit, commit_type, &d->all) == MPI_SUCCESS;
}

void uk_data_drop(struct uk_data *d)
{
    typedef int free_type(MPI_Datatype *);
    if (d->packed)
        ASK(MPI_Type_free, free_type, &d->all);
}

// Says whether data of a datatype is in one piece for certain: a copy, or a row, of one that is. That size and extent
// are the same does not say so, as a type for sends may have the same bytes twice.
static bool dense(MPI_Datatype type)
{
    typedef int contents_type(MPI_Datatype, int, int, int, int *, MPI_Aint *, MPI_Datatype *);
    typedef int free_type(MPI_Datatype *);
    int ints = 0, addresses = 0, types = 0, combiner = -1, count;
    MPI_Aint none;
    MPI_Datatype of;
    if (uk_envelope(type, &ints, &addresses, &types, &combiner) != MPI_SUCCESS ||
        (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) || ints > 1 || addresses > 0 ||
        types != 1 ||
        ASK(MPI_Type_get_contents, contents_type, type, ints, addresses, types, &count, &none, &of) != MPI_SUCCESS)
        return false;
    if (uk_data_dense(of) > 0)
        return true;
    int n;
    bool is = false;
    if (uk_envelope(of, &n, &n, &n, &combiner) == MPI_SUCCESS && combiner != MPI_COMBINER_NAMED) {
        is = dense(of);
        ASK(MPI_Type_free, free_type, &of);
    }
    return is;
}

// Finds the data of a datatype of the program's.
static bool find_derived(struct uk_data *d, const struct measure *m, const void *buf, MPI_Count count,
                         MPI_Datatype type)
{
    typedef int size_type(MPI_Datatype, int *);
    typedef int extent_type(MPI_Datatype, MPI_Aint *, MPI_Aint *);
    int size = 0;
    MPI_Aint lb = 0, extent = 0, first = 0, reach = 0;
    if (ASK(MPI_Type_size, size_type, type, &size) != MPI_SUCCESS || size <= 0 ||
        ASK(MPI_Type_get_extent, extent_type, type, &lb, &extent) != MPI_SUCCESS ||
        ASK(MPI_Type_get_true_extent, extent_type, type, &first, &reach) != MPI_SUCCESS)
        return false;
    d->at = (uintptr_t)buf + (uintptr_t)first;
    if (reach == size && (count == 1 || extent == size) && dense(type))
        return !__builtin_mul_overflow((size_t)size, (size_t)count, &d->bytes);
    size_t one = (size_t)size, most = m->whole / one;
    MPI_Count n = most == 0 ? 1 : count < (MPI_Count)most ? count : (MPI_Count)most;
    MPI_Aint last = (MPI_Aint)(n - 1) * extent;
    d->low = d->at + (uintptr_t)(last < 0 ? last : 0);
    d->high = d->at + (uintptr_t)reach + (uintptr_t)(last > 0 ? last : 0);
    d->bytes = one * (size_t)n;
    if (d->bytes > m->largest || reach < 0 || d->high - d->low > m->farthest || !keep_type(d, type, n))
        return false;
    d->packed = true;
    d->base = (void *)(uintptr_t)buf;
    return true;
}

bool uk_data_find(struct uk_data *d, bool much, const void *buf, MPI_Count count, MPI_Datatype type)
{
    const struct measure *m = much ? &more : &some;
    if (count <= 0)
        return false;
    const size_t size = uk_data_dense(type);
    size_t bytes = 0;
    const bool over = __builtin_mul_overflow(size, (size_t)count, &bytes);
    if (bytes - 1 < 8 && !over) { // one piece; calls are often about a number
        const uintptr_t at = (uintptr_t)buf;
        d->at = d->low = at;
        d->high = at + bytes;
        d->bytes = d->piece = d->step = bytes;
        d->n = 1;
        d->packed = false;
        return true;
    }
    *d = (struct uk_data){.at = (uintptr_t)buf, .bytes = bytes};
    if (size > 0 ? over : !find_derived(d, m, buf, count, type))
        return false;
    if (!d->packed) {
        d->low = d->at;
        d->high = d->at + d->bytes;
    }
    divide(d, m);
    return true;
}
