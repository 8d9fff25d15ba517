// What fold.c and echo.c share: a thread's records that were written last, and those that it is to write.
//
// Runs: at the end of each record, on the thread that has made it.
//
// Never: allocates, locks or waits.
#ifndef UK_FOLD_H
#define UK_FOLD_H

#include "writer/writer.h"

enum {
    UK_PLACES = 256,    // where records were seen last, by hash
    UK_TURNS = 256,     // records, the last ones, whose positions are known
    UK_ECHO_MOST = 4,   // records of a block that is left out where it repeats at once
    UK_COUNT_BITS = 40, // of a place
};

// Where a record of a hash was seen last, and which one it was of those looked at; at counts from 1.
struct uk_sight {
    uint64_t hash, at, nth;
};

// Blocks of records that repeat at once, see echo.c.
struct uk_echo {
    // The records that came last, one after the other, and that a block may consist of; how many there have been since
    // another one. The place of one is where it was written, or what it is equal to.
    struct {
        uint64_t at;
        struct uk_effect effect;
    } last[UK_ECHO_MOST];
    unsigned n;
    // Records that are made and neither written nor counted, as they equal the first of the block of so many records
    // before them; which of the last ones is the first of that; the head of the ring then, without which none are held.
    unsigned held, block, first;
    uint64_t head;
    uint32_t stamps[UK_ECHO_MOST]; // of these
    uint32_t entered;              // the stamp of the last Enter record that was written or counted
};

struct uk_fold {
    // A candidate: how many slots, and stamps, the record stands before the last one that it equals; how many slots in
    // a row have done so.
    uint64_t period, run;
    uint32_t step;
    // The same in records; how many were looked at, and where the last ones are.
    uint64_t records, nth, position[UK_TURNS];
    // Of slots before this some record in between was not written: they are no part of a period.
    uint64_t floor;
    // While records are counted: the slot behind the period, with the UK_FOLD record; the number when this began; where
    // the thread is: how many slots of the period are behind it, above the low bits of how many records were counted
    // then.
    uint64_t from, began;
    uint64_t place;
    // At which number the reader is to be looked at: when half of UK_FOLD_AHEAD is not restored, and then when all is
    // not.
    uint64_t look;
    // Records looked at since it has paid; not looked at before the next one is; how often in a row it has not paid.
    uint64_t watched, rest;
    unsigned tries, least;
    struct uk_echo echo;
    struct uk_sight seen[UK_PLACES];
};

static inline unsigned char *uk_slot(const struct uk_thread *t, uint64_t pos)
{
    return t->data + (pos & t->mask) * UK_SLOT_SIZE;
}
static inline const uint64_t *uk_record(const struct uk_thread *t, uint64_t pos)
{
    return (const uint64_t *)uk_slot(t, pos);
}
static inline uint32_t uk_stamp_of(const uint64_t *r)
{
    return (uint32_t)(r[0] >> 32);
}
static inline unsigned uk_kind_of(const uint64_t *r)
{
    return (uint8_t)(r[0] >> 16);
}
static inline unsigned uk_slots_of(const uint64_t *r)
{
    return (uint8_t)(r[0] >> 24);
}

// Says whether two records are equal except for their stamps.
static inline bool uk_equal(const uint64_t *a, const uint64_t *b)
{
    if ((uint32_t)a[0] != (uint32_t)b[0]) // function, kind and length
        return false;
    uint64_t differs =
        (a[1] ^ b[1]) | (a[2] ^ b[2]) | (a[3] ^ b[3]) | (a[4] ^ b[4]) | (a[5] ^ b[5]) | (a[6] ^ b[6]) | (a[7] ^ b[7]);
    for (unsigned i = 8; i < 8 * uk_slots_of(a) && !differs; i += 4)
        differs = (a[i] ^ b[i]) | (a[i + 1] ^ b[i + 1]) | (a[i + 2] ^ b[i + 2]) | (a[i + 3] ^ b[i + 3]);
    return !differs;
}

// The records that are held, and how many slots they have.
static inline unsigned uk_held(const struct uk_thread *t, const struct uk_fold *f)
{
    return f->echo.head == t->head ? f->echo.held : 0;
}
unsigned uk_held_slots(const struct uk_thread *, const struct uk_fold *);
// Says that the record made at the head of the ring is left out, or held until it is known whether it is.
bool uk_echo_takes(struct uk_thread *, struct uk_fold *, const struct uk_effect *);
// Copies those that are held to where they will be published.
void uk_echo_release(struct uk_thread *, const struct uk_fold *, unsigned char *to);
// How many records came in a row. Until uk_echo_came is called with that number, none did: a jump may come in between.
static inline unsigned uk_echo_forget(struct uk_fold *f)
{
    const unsigned n = f->echo.n;
    f->echo.n = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return n;
}
// Takes in that one more came, which stands at a place of the ring, or equals the one there.
void uk_echo_came(struct uk_thread *, struct uk_fold *, unsigned n, uint64_t at, const struct uk_effect *);
// The same of the records that were held, now published from a place on; returns how many came in a row.
unsigned uk_echo_released(struct uk_thread *, struct uk_fold *, unsigned n, unsigned held, uint64_t at);

#endif
