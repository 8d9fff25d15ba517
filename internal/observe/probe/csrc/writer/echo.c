#pragma GCC optimize("O2")
// Echoes: a program that spins makes the same few calls again and again, such as MPI_Compare_and_swap and MPI_Win_flush
// until it has got a lock. A block of records that equals the block right before it, and leaves nothing pending that
// was not before, says nothing new: it is left out, and its stamps are drawn again. So a thread that spins now for a
// shorter time and now for a longer one writes the same records each time, and they can be counted (fold.c).
//
// Runs: at the end of each record that may be one of such a block, on the thread that has made it.
//
// Never: allocates, locks or waits. A jump may leave it at any instruction: a record is held by one store, and is no
// longer once the head of the ring has moved.
#include "writer/fold.h"
#include <string.h>

// The record that came so many before the next one.
static inline unsigned back(const struct uk_echo *q, unsigned records)
{
    return (q->n - records) % UK_ECHO_MOST;
}

// Says whether what one record opens is closed by another one.
static bool closes(const struct uk_effect *closing, const struct uk_effect *opening)
{
    return (closing->kind == UK_CLOSES || (closing->kind == UK_CLOSES_HERE && opening->kind == UK_OPENS_HERE)) &&
           closing->object == opening->object && (closing->part < 0 || closing->part == opening->part);
}

// Says whether all that the last records open is closed by later ones of them.
static bool closed(const struct uk_echo *q, unsigned records)
{
    for (unsigned i = records; i > 0; i--) {
        const struct uk_effect *e = &q->last[back(q, i)].effect;
        bool open = e->kind == UK_OPENS || e->kind == UK_OPENS_HERE;
        for (unsigned j = i - 1; j > 0 && open; j--)
            open = !closes(&q->last[back(q, j)].effect, e);
        if (open)
            return false;
    }
    return true;
}

// Record i of the block that is repeated.
static const uint64_t *repeated(const struct uk_thread *t, const struct uk_echo *q, unsigned i)
{
    return uk_record(t, q->last[(q->first + i) % UK_ECHO_MOST].at);
}

// The records of the shortest block that the next one may repeat, 0 if there is none.
static unsigned block_of(const struct uk_thread *t, const struct uk_echo *q, const uint64_t *made)
{
    for (unsigned n = 1; n <= q->n && n <= UK_ECHO_MOST; n++)
        if (uk_equal(made, uk_record(t, q->last[back(q, n)].at)) && closed(q, n))
            return n;
    return 0;
}

bool uk_echo_takes(struct uk_thread *t, struct uk_fold *f, const struct uk_effect *effect)
{
    struct uk_echo *q = &f->echo;
    const uint64_t *made = uk_record(t, t->head);
    const unsigned held = uk_held(t, f);
    if (!effect || uk_stamps.shared) // others may know a stamp that is drawn again
        return false;
    if (held == 0) {
        const unsigned block = block_of(t, q, made);
        if (block == 0)
            return false;
        q->held = 0; // it may be that of another head
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        q->block = block;
        q->first = q->n - block;
        q->head = t->head;
    } else if (!uk_equal(made, repeated(t, q, held))) {
        return false;
    }
    q->stamps[held] = uk_stamp_of(made);
    __atomic_store_n(&t->ring->echoes_seen, t->ring->echoes_seen + 1, __ATOMIC_RELEASE);
    // To the reader the call is another time the last one that it knows of. The call's own memory of the stamp before
    // it is to differ from that.
    t->stamp = q->entered;
    uk_call.stamp = q->entered - 1;
    __atomic_store_n(&t->ring->returned, q->entered - 1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (held + 1 < q->block) {
        q->held = held + 1;
        return true;
    }
    __atomic_store_n(&t->ring->echoes_left, t->ring->echoes_left + q->block, __ATOMIC_RELEASE);
    q->held = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    uk_stamps.last = q->stamps[0] - 1;
    return true;
}

unsigned uk_held_slots(const struct uk_thread *t, const struct uk_fold *f)
{
    const struct uk_echo *q = &f->echo;
    unsigned slots = 0;
    for (unsigned i = 0; i < uk_held(t, f); i++)
        slots += uk_slots_of(repeated(t, q, i));
    return slots;
}

void uk_echo_release(struct uk_thread *t, const struct uk_fold *f, unsigned char *to)
{
    const struct uk_echo *q = &f->echo;
    const unsigned held = uk_held(t, f);
    for (unsigned i = 0; i < held; i++) {
        const uint64_t *from = repeated(t, q, i);
        memcpy(to, from, (size_t)uk_slots_of(from) * UK_SLOT_SIZE);
        ((struct uk_record_header *)(void *)to)->stamp = q->stamps[i];
        to += (size_t)uk_slots_of(from) * UK_SLOT_SIZE;
    }
    if (held > 0 && t->stamp == q->entered)
        t->stamp = q->stamps[held - 1];
}

void uk_echo_came(struct uk_thread *t, struct uk_fold *f, unsigned n, uint64_t at, const struct uk_effect *effect)
{
    struct uk_echo *q = &f->echo;
    q->last[n % UK_ECHO_MOST].at = at;
    q->last[n % UK_ECHO_MOST].effect = *effect;
    q->entered = t->stamp;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    q->n = n + 1;
}

unsigned uk_echo_released(struct uk_thread *t, struct uk_fold *f, unsigned n, unsigned held, uint64_t at)
{
    struct uk_echo *q = &f->echo;
    struct uk_effect effects[UK_ECHO_MOST];
    for (unsigned i = 0; i < held; i++)
        effects[i] = q->last[(q->first + i) % UK_ECHO_MOST].effect;
    for (unsigned i = 0; i < held; i++) {
        uk_echo_came(t, f, n + i, at, &effects[i]);
        at += uk_slots_of(uk_record(t, at));
    }
    return n + held;
}
