#pragma GCC optimize("O2")
// Folding: a thread whose records repeat, word for word, those of a period before writes them no more, but counts them. The reader restores
// each of them from the period, which it copies when it comes to the UK_FOLD record behind it.
//
// Runs: at the end of each record, on the thread that has made it; where a ring is made or left.
//
// Never: allocates but by mmap, when a ring is made; locks; or calls what the program may have replaced. It sleeps only where the reader
// is too far behind, as uk_room does. A jump may leave it at any instruction: each step is made by one store, what it needs is there before,
// and whoever finds a step half done does it.
//
// A record that repeats is made where the next one will be, at the head of the ring, and stays unpublished. The first that differs is moved
// up by one slot, behind a UK_UNFOLD record that says how many there were. Stamps are restored too: they must grow by the same step from
// each record to the one a period later.
#include "writer/writer.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PLACES = 256, // where records were seen last, by hash
    WAYS = 4, // of these, one after another, at which a hash may stand
    WINDOW = 20, // times the least run: records that are looked at before it is clear that it does not pay to look now
    TRIES_MOST = 5, // doublings of the time without looking then
};

// Where a thread is whose records are counted.
struct place {
    uint64_t at; // of the record that is expected next, in the period
    uint64_t count; // records counted so far in this ring
    uint32_t shift; // what its stamp is more than that of the record there
};

// Where a record of a hash was seen last; at counts from 1.
struct sight {
    uint64_t hash, at;
};

struct uk_fold {
    // A candidate: how many slots, and stamps, the record stands before the last one that it equals; how many slots in a row have done so.
    uint64_t period, run;
    uint32_t step;
    // Of slots before this some record in between was not written: they are no part of a period.
    uint64_t floor;
    // While records are counted: the slot behind the period, with the UK_FOLD record; the number when this began; where the thread is, in
    // the one of the two that now says.
    uint64_t from, began;
    struct place place[2];
    unsigned now;
    uint64_t look; // at which number the reader is to be looked at: when half of UK_FOLD_AHEAD is not restored, and then when all is not
    // Records looked at since it has paid; not looked at before the next one is; how often in a row it has not paid.
    uint64_t watched, rest;
    unsigned tries, least;
    struct sight seen[PLACES];
};

void uk_fold_create(struct uk_thread *t)
{
    t->fold = NULL;
    t->folding = UK_WRITES;
    if (t->control->fold == 0)
        return;
    void *at = mmap(NULL, sizeof *t->fold, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return;
    struct uk_fold *f = at;
    f->least = t->control->fold;
    f->floor = t->head;
    f->place[0].count = __atomic_load_n(&t->ring->folded, __ATOMIC_RELAXED);
    t->fold = f;
}

void uk_fold_leave(struct uk_thread *t)
{
    struct uk_fold *f = t->fold;
    if (!f)
        return;
    uk_fold_end(t);
    t->fold = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST); // a signal handler must not find memory that is gone
    munmap(f, sizeof *f);
}

static unsigned char *slot(const struct uk_thread *t, uint64_t pos) { return t->data + (pos & t->mask) * UK_SLOT_SIZE; }
static const uint64_t *record(const struct uk_thread *t, uint64_t pos) { return (const uint64_t *)slot(t, pos); }
static uint32_t stamp_of(const uint64_t *r) { return (uint32_t)(r[0] >> 32); }
static unsigned kind_of(const uint64_t *r) { return (uint8_t)(r[0] >> 16); }

// Says whether two records are equal but for their stamps.
static inline bool equal(const uint64_t *a, const uint64_t *b, unsigned slots)
{
    if ((uint32_t)a[0] != (uint32_t)b[0]) // function, kind and length
        return false;
    uint64_t differs = (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (a[4] ^ b[4]) | (a[5] ^ b[5]) | (a[6] ^ b[6]) | (a[7] ^ b[7]);
    for (unsigned i = 8; i < 8 * slots && !differs; i += 4)
        differs = (a[i] ^ b[i]) | (a[i + 1] ^ b[i + 1]) | (a[i + 2] ^ b[i + 2]) | (a[i + 3] ^ b[i + 3]);
    return !differs;
}

static inline uint64_t hash_of(const uint64_t *r, unsigned slots)
{
    uint64_t a = (uint32_t)r[0] * 0x9e3779b97f4a7c15u, b = r[1] * 0xd6e8feb86659fd93u;
    for (unsigned i = 2; i < 8 * slots; i += 2) {
        a = (a ^ a >> 29 ^ r[i]) * 0x9e3779b97f4a7c15u;
        b = (b ^ b >> 31 ^ r[i + 1]) * 0xd6e8feb86659fd93u;
    }
    return a ^ b ^ a >> 32;
}

static void publish(struct uk_thread *t, uint64_t head)
{
    t->head = head;
    __atomic_store_n(&t->ring->head, head, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

// Looks at nothing for a while, the longer the more often in a row it has been of no use.
static void rest(struct uk_fold *f)
{
    if (f->tries < TRIES_MOST)
        f->tries++;
    f->rest = (uint64_t)WINDOW * f->least << f->tries;
    f->period = f->run = f->watched = 0;
}

// Begins to count: what comes next is expected to be what stands a period before.
static void begin(struct uk_thread *t, struct uk_fold *f)
{
    struct uk_record_header *r = uk_reserve(t, 0, UK_FOLD, 0, 3);
    if (!t->fold) // nobody reads any more
        return;
    struct place *p = &f->place[f->now];
    r->stamp = 0;
    uint64_t *w = memset(r + 1, 0, UK_SLOT_SIZE - sizeof *r);
    w[0] = f->period;
    w[1] = f->step;
    w[2] = p->count;
    f->from = t->head;
    f->began = p->count;
    p->at = f->from - f->period;
    p->shift = f->step;
    // The period stays where it is until the reader has come to this record, and so do earlier ones.
    const uint64_t room = t->mask + 1 - f->period;
    if (t->kept <= __atomic_load_n(&t->ring->tail, __ATOMIC_ACQUIRE) || room < t->capacity)
        t->capacity = room;
    t->kept = t->next;
    publish(t, t->next);
    t->folding = UK_COUNTS;
}

// Where a hash was seen last, or else the place that it takes: of those at which it may stand, the one whose hash was seen least recently.
// With one place a hash, two records of a period that share it would keep each other from being seen.
static struct sight *sight_of(struct uk_fold *f, uint64_t h)
{
    struct sight *oldest = &f->seen[h % PLACES];
    for (unsigned i = 0; i < WAYS; i++) {
        struct sight *s = &f->seen[(h + i) % PLACES];
        if (s->hash == h && s->at > 0)
            return s;
        if (s->at < oldest->at)
            oldest = s;
    }
    return oldest;
}

// Looks whether a record that was written repeats one before.
static void watch(struct uk_thread *t, struct uk_fold *f, uint64_t pos, unsigned slots)
{
    if (f->rest > 0) {
        f->rest--;
        return;
    }
    const uint64_t *r = record(t, pos);
    f->watched++;
    if (f->period > 0) {
        const uint64_t *old = record(t, pos - f->period);
        if (equal(r, old, slots) && stamp_of(r) - stamp_of(old) == f->step) {
            f->run += slots;
            if (f->run >= f->least && f->run >= 2 * f->period && kind_of(r) != UK_PART)
                begin(t, f);
            return;
        }
    }
    if (f->watched > (uint64_t)WINDOW * f->least) {
        rest(f);
        return;
    }
    f->period = f->run = 0;
    const uint64_t h = hash_of(r, slots);
    struct sight *seen = sight_of(f, h);
    const uint64_t last = seen->at;
    if (seen->hash == h && last > f->floor && pos + 1 - last <= (t->mask + 1) / 4) {
        const uint64_t *old = record(t, last - 1);
        if (equal(r, old, slots)) {
            f->period = pos + 1 - last;
            f->step = stamp_of(r) - stamp_of(old);
            f->run = slots;
        }
    }
    seen->hash = h;
    seen->at = pos + 1;
}

// Ends the counting with the record of so many slots that was made at the head of the ring, or with none.
static void end(struct uk_thread *t, struct uk_fold *f, unsigned slots)
{
    t->folding = UK_ENDS;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const unsigned char *made = slot(t, t->head);
    if (t->head + slots + 1 - t->tail > t->capacity)
        uk_room(t, slots + 1);
    unsigned char *to = slot(t, t->head); // elsewhere, if nobody reads any more
    memmove(to + UK_SLOT_SIZE, made, (size_t)slots * UK_SLOT_SIZE);
    struct uk_record_header *r = (void *)to;
    memset(r, 0, UK_SLOT_SIZE);
    r->kind = UK_UNFOLD;
    r->slots = 1;
    const uint64_t count = __atomic_load_n(&t->ring->folded, __ATOMIC_RELAXED);
    memcpy(r + 1, &count, sizeof count);
    publish(t, t->head + slots + 1);
    if (!t->fold)
        return;
    f->floor = t->head - slots;
    f->place[f->now].count = count;
    if (count - f->began < f->least / 4 + f->period) { // the two records more, and the reader's copy of the period, were not worth it
        rest(f);
    } else {
        f->tries = 0;
        f->period = f->run = f->watched = 0;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->folding = UK_WRITES;
}

void uk_fold_end(struct uk_thread *t)
{
    if (t->folding != UK_WRITES)
        end(t, t->fold, 0);
}

// Takes in that the record expected next was counted.
static inline void advance(struct uk_thread *t, struct uk_fold *f)
{
    const struct place *p = &f->place[f->now];
    struct place *next = &f->place[!f->now];
    next->at = p->at + (uint8_t)(record(t, p->at)[0] >> 24);
    next->shift = p->shift;
    next->count = p->count + 1;
    if (next->at == f->from) {
        next->at -= f->period;
        next->shift += f->step;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    f->now = !f->now;
}

// Wakes the reader if it is far behind, and waits if it is too far.
static void look_at_reader(struct uk_thread *t, struct uk_fold *f, uint64_t count)
{
    const int keep = errno;
    for (bool waited = false;; waited = true) {
        const uint64_t taken = __atomic_load_n(&t->ring->unfolded, __ATOMIC_ACQUIRE);
        if (count - taken < UK_FOLD_AHEAD / 2) {
            f->look = taken + UK_FOLD_AHEAD / 2;
            break;
        }
        uk_bell(t->control);
        f->look = taken + UK_FOLD_AHEAD;
        if (count - taken < UK_FOLD_AHEAD)
            break;
        if (!uk_wait(t, &t->ring->unfolded, taken, waited)) {
            uk_give_up(t);
            break;
        }
    }
    errno = keep;
}

void uk_fold_commit(struct uk_thread *t)
{
    struct uk_fold *f = t->fold;
    const uint64_t pos = t->head;
    const unsigned slots = (unsigned)(t->next - pos);
    if (t->folding == UK_WRITES) {
        publish(t, t->next);
        watch(t, f, pos, slots);
        return;
    }
    if (UK_UNLIKELY(f->place[f->now].count != t->ring->folded && t->folding == UK_COUNTS))
        advance(t, f); // a jump came between the two
    const struct place *p = &f->place[f->now];
    const uint64_t *made = record(t, pos), *old = record(t, p->at);
    if (t->folding == UK_ENDS || !equal(made, old, slots) || stamp_of(made) - stamp_of(old) != p->shift) {
        end(t, f, slots);
        return;
    }
    const uint64_t count = p->count + 1;
    __atomic_store_n(&t->ring->folded, count, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    advance(t, f);
    if (UK_UNLIKELY(count >= f->look))
        look_at_reader(t, f, count);
}
