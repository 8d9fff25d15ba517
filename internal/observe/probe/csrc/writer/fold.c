#pragma GCC optimize("O2")
// Folding: a thread whose records repeat, word for word, those of a period before writes them no more, but counts them.
// The reader restores each of them from the period, which it copies when it reaches the UK_FOLD record behind it.
//
// Runs: at the end of each record, on the thread that has made it; where a ring is made or left.
//
// Never: allocates but by mmap, when a ring is made; locks; or calls what the program may have replaced. It sleeps only
// where the reader is too far behind, as uk_room does. A jump may leave it at any instruction: each step is made by one
// store, what it needs is there before, and whoever finds a step half done does it, or finds that nothing fits and ends
// the counting.
//
// A record that repeats is made where the next one will be, at the head of the ring, and stays unpublished, or is not
// made at all (uk_counts, in the wrappers of calls that are made most). The first that differs is moved up by one slot,
// behind a UK_UNFOLD record that says how many there were. Stamps are restored too: they must grow by the same step
// from each record to the one a period later.
#include "writer/fold.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum {
    WAYS = 4,    // places one after another at which a hash may stand
    WINDOW = 20, // times the least run: records that are looked at before it is clear that it does not pay to look now
    TRIES_MOST = 5, // doublings of the time without looking then
};

void uk_fold_create(struct uk_thread *t)
{
    t->fold = NULL;
    t->folding = UK_WRITES;
    t->expected = NULL;
    if (t->control->fold == 0)
        return;
    struct uk_fold *f = uk_pages(sizeof *f);
    if (!f)
        return;
    f->least = t->control->fold;
    f->floor = t->head;
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

static inline uint64_t hash_of(const uint64_t *r)
{
    uint64_t a = (uint32_t)r[0] * 0x9e3779b97f4a7c15u, b = r[1] * 0xd6e8feb86659fd93u;
    for (unsigned i = 2; i < 8 * uk_slots_of(r); i += 2) {
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

// Where the record stands that the thread is expected to make next, and that record.
static inline uint64_t position(const struct uk_fold *f)
{
    return f->from - f->period + (f->place >> UK_COUNT_BITS);
}
static inline const uint64_t *expected(const struct uk_thread *t, const struct uk_fold *f)
{
    return uk_record(t, position(f));
}

// The part of a number of records that a place has room for.
static inline uint64_t low(uint64_t count)
{
    return count << (64 - UK_COUNT_BITS) >> (64 - UK_COUNT_BITS);
}

// Says whether the place is that of so many records.
static inline bool in_step(const struct uk_fold *f, uint64_t count)
{
    return low(f->place ^ count) == 0;
}

// Begins to count: what comes next is expected to be what stands a period before.
static void begin(struct uk_thread *t, struct uk_fold *f)
{
    struct uk_record_header *r = uk_reserve(t, 0, UK_FOLD, 0, UK_FOLD_FIXED);
    if (!t->fold) // nobody reads any more
        return;
    r->stamp = 0;
    uint64_t *w = memset(r + 1, 0, UK_SLOT_SIZE - sizeof *r);
    w[UK_FOLD_PERIOD] = f->period;
    w[UK_FOLD_STEP] = f->step;
    w[UK_FOLD_COUNT] = f->began = __atomic_load_n(&t->ring->folded, __ATOMIC_RELAXED);
    f->from = t->head;
    f->place = low(f->began);
    t->shift = f->step;
    // The period stays where it is until the reader has come to this record, and so do earlier ones.
    const uint64_t room = t->mask + 1 - f->period;
    if (t->kept <= __atomic_load_n(&t->ring->tail, __ATOMIC_ACQUIRE) || room < t->capacity)
        t->capacity = room;
    t->kept = t->next;
    publish(t, t->next);
    t->folding = UK_COUNTS;
    t->expected = expected(t, f);
}

// Where a hash was seen last, or else the place that it takes: of those at which it may stand, the one whose hash was
// seen least recently. With one place a hash, two records of a period that share it would keep each other from being
// seen.
static struct uk_sight *sight_of(struct uk_fold *f, uint64_t h)
{
    struct uk_sight *oldest = &f->seen[h % UK_PLACES];
    for (unsigned i = 0; i < WAYS; i++) {
        struct uk_sight *s = &f->seen[(h + i) % UK_PLACES];
        if (s->hash == h && s->at > 0)
            return s;
        if (s->at < oldest->at)
            oldest = s;
    }
    return oldest;
}

// How many records back the one is, of those that equal the one at a position, which a period is to begin with: the
// last one is so far back. If the period that it does not fit, of so many records, has not gone through even once,
// things that repeat in turns of two and of three may be at work: then the period is a multiple of both.
static uint64_t both(const struct uk_thread *t, const struct uk_fold *f, uint64_t pos, uint64_t back, uint64_t period)
{
    uint64_t a = back, b = period;
    while (b > 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    const uint64_t all = back / a * period;
    if (all == 0 || all >= UK_TURNS || all > f->nth)
        return back;
    const uint64_t old = f->position[(f->nth - all) % UK_TURNS];
    return old >= f->floor && pos - old <= (t->mask + 1) / 4 && uk_equal(uk_record(t, pos), uk_record(t, old)) ? all
                                                                                                               : back;
}

// Looks whether a record that was written repeats one before; head is where the last one ends.
static void watch(struct uk_thread *t, struct uk_fold *f, uint64_t pos, uint64_t head)
{
    if (f->rest > 0) {
        f->rest--;
        return;
    }
    const uint64_t *r = uk_record(t, pos);
    const unsigned slots = uk_slots_of(r);
    f->watched++;
    f->position[f->nth % UK_TURNS] = pos;
    if (f->period > 0) {
        const uint64_t *old = uk_record(t, pos - f->period);
        if (uk_equal(r, old) && uk_stamp_of(r) - uk_stamp_of(old) == f->step) {
            f->run += slots;
            if (f->run >= f->least && f->run >= 2 * f->period && uk_kind_of(r) != UK_PART && pos + slots == head)
                begin(t, f);
            f->nth++;
            return;
        }
    }
    if (f->watched > (uint64_t)WINDOW * f->least) {
        rest(f);
        return;
    }
    const uint64_t period = f->run < f->period ? f->records : 0;
    f->period = f->run = 0;
    const uint64_t h = hash_of(r);
    struct uk_sight *seen = sight_of(f, h);
    const uint64_t last = seen->at;
    if (seen->hash == h && last > f->floor && pos + 1 - last <= (t->mask + 1) / 4) {
        const uint64_t *old = uk_record(t, last - 1);
        if (uk_equal(r, old)) {
            const uint64_t back = f->nth - seen->nth;
            f->records = both(t, f, pos, back, period);
            f->period = f->records == back ? pos + 1 - last : pos - f->position[(f->nth - f->records) % UK_TURNS];
            old = uk_record(t, pos - f->period);
            f->step = uk_stamp_of(r) - uk_stamp_of(old);
            f->run = slots;
        }
    }
    seen->hash = h;
    seen->at = pos + 1;
    seen->nth = f->nth++;
}

// Publishes the record of so many slots that was made at the head of the ring, none if it has no slots, behind those
// that are held; in front of all these, if records were counted, how many. Returns false if nobody reads any more.
static bool write(struct uk_thread *t, struct uk_fold *f, unsigned slots, const struct uk_effect *effect)
{
    const bool counted = t->folding == UK_ENDS;
    const unsigned held = uk_held(t, f), before = counted + uk_held_slots(t, f);
    const unsigned char *made = uk_slot(t, t->head);
    if (before > 0) {
        if (t->head + before + slots - t->tail > t->capacity)
            uk_room(t, before + slots);
        if (!t->fold)
            return false;
        unsigned char *to = uk_slot(t, t->head);
        memmove(to + (size_t)before * UK_SLOT_SIZE, made, (size_t)slots * UK_SLOT_SIZE);
        uk_echo_release(t, f, to + (size_t)counted * UK_SLOT_SIZE);
        if (counted) {
            struct uk_record_header *r = memset(to, 0, UK_SLOT_SIZE);
            r->kind = UK_UNFOLD;
            r->slots = 1;
            const uint64_t count = __atomic_load_n(&t->ring->folded, __ATOMIC_RELAXED);
            memcpy((uint64_t *)(r + 1) + UK_UNFOLD_COUNT, &count, sizeof count);
        }
    }
    const uint64_t from = t->head + counted, pos = t->head + before;
    unsigned came = uk_echo_forget(f);
    publish(t, pos + slots);
    if (effect) {
        came = uk_echo_released(t, f, came, held, from);
        uk_echo_came(t, f, came, pos, effect);
    }
    return true;
}

// Writes a record, and looks whether it repeats others.
__attribute__((noinline)) static void add(struct uk_thread *t, struct uk_fold *f, unsigned slots,
                                          const struct uk_effect *effect)
{
    uint64_t pos = t->head;
    const uint64_t end = pos + uk_held_slots(t, f) + slots;
    if (!write(t, f, slots, effect))
        return;
    for (; pos < end && t->fold; pos += uk_slots_of(uk_record(t, pos)))
        watch(t, f, pos, end);
}

// Ends the counting with the record of so many slots that was made at the head of the ring, or with none.
__attribute__((noinline)) static void end(struct uk_thread *t, struct uk_fold *f, unsigned slots,
                                          const struct uk_effect *effect)
{
    t->expected = NULL;
    t->folding = UK_ENDS;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    const uint64_t count = __atomic_load_n(&t->ring->folded, __ATOMIC_RELAXED);
    if (!write(t, f, slots, effect))
        return;
    f->floor = t->head - slots;
    // The two records more, and the reader's copy of the period, were not worth it.
    if (count - f->began < f->least / 4 + f->period) {
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
    struct uk_fold *f = t->fold;
    if (t->folding != UK_WRITES)
        end(t, f, 0, NULL);
    else if (f && uk_held(t, f) > 0)
        add(t, f, 0, NULL);
}

// Takes in that the record expected next, of so many slots, was counted, the last one of so many. Its steps may be left
// after any of them: who finds that the place is not in step continues from there, and a shift or an expected record
// that is not that of the place fits nothing, so that the next record is written.
static inline void advance(struct uk_thread *t, struct uk_fold *f, unsigned slots, uint64_t count)
{
    uint64_t passed = (f->place >> UK_COUNT_BITS) + slots;
    const bool all = passed == f->period;
    if (all)
        passed = 0;
    f->place = passed << UK_COUNT_BITS | low(count);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (all)
        t->shift += f->step;
    t->expected = expected(t, f);
}

// Wakes the reader if it is far behind, and waits if it is too far.
__attribute__((noinline, cold)) static void look_at_reader(struct uk_thread *t, struct uk_fold *f, uint64_t count)
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

// Counts a record that equals the one expected.
static inline void count(struct uk_thread *t, struct uk_fold *f, unsigned slots, const struct uk_effect *effect)
{
    const uint64_t at = position(f), count = t->ring->folded + 1;
    const unsigned came = uk_echo_forget(f);
    __atomic_store_n(&t->ring->folded, count, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    advance(t, f, slots, count);
    if (effect)
        uk_echo_came(t, f, came, at, effect);
    if (UK_UNLIKELY(count >= f->look))
        look_at_reader(t, f, count);
}

// Counts the record that was made if it is the one that is expected.
static inline bool counts(struct uk_thread *t, struct uk_fold *f, const struct uk_effect *effect)
{
    if (UK_UNLIKELY(!in_step(f, t->ring->folded)))
        advance(t, f, uk_slots_of(expected(t, f)), t->ring->folded); // a jump came between the two
    const uint64_t *made = uk_record(t, t->head), *old = expected(t, f);
    if (!uk_equal(made, old) || uk_stamp_of(made) - uk_stamp_of(old) != t->shift)
        return false;
    count(t, f, uk_slots_of(made), effect);
    return true;
}

bool uk_fold_counts(struct uk_thread *t, const uint64_t *old, unsigned slots, uint32_t stamp)
{
    struct uk_fold *f = t->fold;
    if (UK_UNLIKELY(!f || t->folding != UK_COUNTS || uk_held(t, f) > 0 || !in_step(f, t->ring->folded) ||
                    expected(t, f) != old))
        return false;
    uk_stamps.last = stamp;
    count(t, f, slots, NULL);
    return true;
}

static inline void commit(struct uk_thread *t, const struct uk_effect *effect)
{
    struct uk_fold *f = t->fold;
    const unsigned slots = (unsigned)(t->next - t->head);
    const bool held = uk_held(t, f) > 0;
    if (t->folding == UK_COUNTS && !held && counts(t, f, effect))
        return;
    if (effect && t->folding != UK_ENDS && uk_echo_takes(t, f, effect))
        return;
    if (t->folding == UK_WRITES)
        add(t, f, slots, effect);
    else
        end(t, f, slots, effect);
}

void uk_fold_commit(struct uk_thread *t)
{
    commit(t, NULL);
}

void uk_fold_commit_as(struct uk_thread *t, const struct uk_effect *effect)
{
    commit(t, t->control->each_spin ? NULL : effect);
}
