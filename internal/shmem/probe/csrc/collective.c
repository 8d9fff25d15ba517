/* Collective functions (OpenSHMEM 1.4, 9.8), and those of the heap, which all PEs call. */
#include <pthread.h>
#include <string.h>

#include <shmem.h>

#include "sh.h"

enum { SETS = 4096 };

static struct {
    uint64_t set, calls;
} sets[SETS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The number of this call among those of a set; 0 if there are too many sets. */
static uint64_t number_of(uint64_t set)
{
    uint64_t number = 0;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < SETS; i++) {
        unsigned n = (unsigned)((set * UINT64_C(0x9e3779b97f4a7c15) >> 40) + i) % SETS;
        if (sets[n].calls == 0 || sets[n].set == set) {
            sets[n].set = set;
            number = ++sets[n].calls;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    return number;
}

static int member(const struct sh_set *s, int n)
{
    return s->start + (n << s->log_stride);
}

/* ---- Arguments. ---- */

static int set_fits(struct sh_call *c, const struct sh_set *s)
{
    if (s->start < 0 || s->log_stride < 0 || s->log_stride > 30 || s->size < 1 ||
        (int64_t)s->start + ((int64_t)(s->size - 1) << s->log_stride) >= sh_pes()) {
        sh_wrong(c, UKS_WRONG_SET, (uint64_t)(int64_t)s->start, (uint64_t)(int64_t)s->log_stride,
                 (uint64_t)(int64_t)s->size, 0);
        return 0;
    }
    int distance = sh_me() - s->start;
    if (distance < 0 || distance % (1 << s->log_stride) || distance >> s->log_stride >= s->size) {
        sh_wrong(c, UKS_NOT_IN_SET, (uint64_t)s->start, (uint64_t)s->log_stride, (uint64_t)s->size, 0);
        return 0;
    }
    return 1;
}

static int sync_fits(struct sh_call *c, const struct sh_collective *k)
{
    uint64_t offset;
    if (!k->sync_words)
        return 1;
    struct sh_array words = {k->sync, k->sync_words, sizeof(long), 1, UKS_ARG_SYNC};
    return sh_symmetric(c, &words, &offset);
}

enum { SYNCS = 1024 };

/* Whether a pSync is used for the first time. */
static int unused(const long *sync)
{
    static const long *used[SYNCS];
    static int count;
    for (int i = 0; i < count; i++)
        if (used[i] == sync)
            return 0;
    if (count == SYNCS)
        return 0;
    used[count++] = sync;
    return 1;
}

/*
 * pSync must have its value when a PE enters (9.8). Once another one is in the call it may write there, so only the
 * first to enter can tell, and only if no earlier call has used it.
 */
static void check_sync(struct sh_call *c, const struct sh_collective *k)
{
    long wrong = 0;
    uint64_t at = 0;
    pthread_mutex_lock(&lock);
    int fresh = k->sync_words && unused(k->sync);
    pthread_mutex_unlock(&lock);
    for (uint64_t i = 0; fresh && i < k->sync_words && at == 0; i++)
        if (((const volatile long *)k->sync)[i] != SHMEM_SYNC_VALUE) {
            wrong = k->sync[i];
            at = i + 1;
        }
    if (sh_is_first((k->key ^ k->number * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xbf58476d1ce4e5b9) >> 32) && at > 0)
        sh_wrong(c, UKS_WRONG_SYNC, at - 1, 0, (uint64_t)wrong, UKS_ARG_SYNC);
}

static int overlap(const struct sh_collective *k)
{
    uint64_t to = (uint64_t)k->target.at, from = (uint64_t)k->source.at;
    uint64_t wide = ((k->target.count - 1) * (uint64_t)k->target.stride + 1) * k->target.bytes,
             long_ = ((k->source.count - 1) * (uint64_t)k->source.stride + 1) * k->source.bytes;
    if (!k->target.count || !k->source.count || to + wide <= from || from + long_ <= to)
        return 0;
    return to != from || (k->kind != UKS_COLLECTIVE_REDUCE && k->kind != UKS_COLLECTIVE_BROADCAST);
}

static int fits(struct sh_call *c, const struct sh_collective *k)
{
    uint64_t offset;
    if (!set_fits(c, &k->set))
        return 0;
    if (k->kind == UKS_COLLECTIVE_BROADCAST && (k->root < 0 || k->root >= k->set.size)) {
        sh_wrong(c, UKS_WRONG_ROOT, (uint64_t)(int64_t)k->root, (uint64_t)k->set.size, 0, 0);
        return 0;
    }
    const struct sh_array *arrays[] = {&k->target, &k->source, &k->work};
    for (int i = 0; i < 3; i++) {
        if (arrays[i]->argument && arrays[i]->count > 0) {
            if (arrays[i]->stride < 1) {
                sh_wrong(c, UKS_WRONG_STRIDE, (uint64_t)arrays[i]->stride, 0, 0,
                         i == 0 ? UKS_ARG_TARGET_STRIDE : UKS_ARG_SOURCE_STRIDE);
                return 0;
            }
            if (!sh_symmetric(c, arrays[i], &offset))
                return 0;
        }
    }
    if (!sync_fits(c, k))
        return 0;
    if (overlap(k)) {
        sh_wrong(c, UKS_OVERLAP, 0, k->target.count * k->target.bytes, 0, UKS_ARG_SOURCE);
        return 0;
    }
    return 1;
}

/* ---- Records. ---- */

/* An access of the call, if it has such an array. */
static void access(struct sh_call *c, int kind, int flags, int pe, const struct sh_array *a)
{
    if (a->argument)
        sh_access(c, kind, flags, pe, a, 0);
}

static void record(struct sh_call *c, const struct sh_collective *k, int kind)
{
    sh_put_record(c, (struct upcr_record){.kind = (unsigned char)kind,
                                          .flags = (unsigned char)k->kind,
                                          .owner = (unsigned short)(k->root >= 0 ? member(&k->set, k->root) : 0),
                                          .offset = k->number,
                                          .size = (unsigned)k->bytes,
                                          .stride = sh_hash32(c->name),
                                          .count = k->elements,
                                          .value = k->key});
}

static int completes(int kind)
{
    return kind == UKS_COLLECTIVE_BARRIER_ALL || kind == UKS_COLLECTIVE_BARRIER || kind >= UKS_COLLECTIVE_ALLOCATE;
}

/*
 * pSync belongs to a call from the moment at which any member is in it until none is. A barrier may use the same again
 * at once (9.8.2).
 */
static void use_sync(struct sh_call *c, const struct sh_collective *k)
{
    struct sh_array words = {k->sync, k->sync_words, sizeof(long), 1, UKS_ARG_SYNC};
    if (k->kind == UKS_COLLECTIVE_BARRIER || k->kind == UKS_COLLECTIVE_SYNC || !k->sync_words)
        return;
    for (int n = 0; n < k->set.size; n++)
        access(c, UKS_WRITE, UKS_PART, member(&k->set, n), &words);
}

static void enter(struct sh_call *c, struct sh_collective *k)
{
    k->key = (uint64_t)k->set.start << 32 | (uint64_t)k->set.log_stride << 24 | (uint64_t)k->set.size;
    k->number = number_of(k->key);
    k->entered = 1;
    check_sync(c, k);
    if (completes(k->kind))
        sh_order(c, UKS_QUIET, 0);
    if (k->kind != UKS_COLLECTIVE_BROADCAST)
        access(c, UKS_READ, 0, sh_me(), &k->source);
    record(c, k, UKS_ENTER);
}

/* A call that is collective over all PEs. bytes are those of an allocation. */
void sh_enter_all(struct sh_call *c, struct sh_collective *k, int kind, uint64_t bytes)
{
    *k = (struct sh_collective){.kind = kind, .set = {0, 0, sh_pes()}, .root = -1, .elements = bytes, .bytes = 1};
    if (c->recorded)
        enter(c, k);
}

void sh_enter_collective(struct sh_call *c, struct sh_collective *k)
{
    if (!c->recorded)
        return;
    if (!fits(c, k)) {
        c->recorded = 0;
        return;
    }
    enter(c, k);
    use_sync(c, k);
    access(c, UKS_WRITE, UKS_PART, sh_me(), &k->work);
    if (k->kind != UKS_COLLECTIVE_BROADCAST) {
        access(c, UKS_WRITE, UKS_PART, sh_me(), &k->target);
        return;
    }
    int root = member(&k->set, k->root);
    if (sh_me() != root) {
        access(c, UKS_WRITE, UKS_PART, sh_me(), &k->target);
        return;
    }
    access(c, UKS_READ, 0, root, &k->source);
    for (int n = 0; n < k->set.size; n++)
        if (n != k->root)
            access(c, UKS_WRITE, UKS_PART, member(&k->set, n), &k->target);
}

void sh_leave_collective(struct sh_call *c, struct sh_collective *k)
{
    if (k->entered)
        record(c, k, UKS_LEAVE);
}
