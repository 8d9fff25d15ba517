// The layer above outside, writer: the producer's side of a ring, one per MPI-calling thread. It knows nothing of MPI,
// and neither includes nor calls anything of the layers above it, objects and process.
//
// Runs: what is inline, in each recorded call of MPI, on the thread that makes it; where the program jumps out of a
// call, perhaps in its signal handler.
//
// Never: allocates, locks, sets errno or calls a function that the program may have replaced, as each call pays for it,
// and as a jump may leave it at any instruction. A ring is written by its own thread only.
#ifndef UK_WRITER_H
#define UK_WRITER_H

#include "writer/ring.h"
#include <stdbool.h>
#include <sys/types.h>

#define UK_LIKELY(x) __builtin_expect(!!(x), 1)
#define UK_UNLIKELY(x) __builtin_expect(!!(x), 0)

// A thread's gate. Only an open gate lets a call be recorded; inside a recorded call it is not open.
enum { UK_NEW, UK_OPEN, UK_INSIDE, UK_OFF };

// Longest argument list of a poll that can be recognised as a repetition.
#define UK_POLL_WORDS 24

// What becomes of a thread's records: they are written, or only counted (fold.c), or written once the number of those
// counted is recorded.
enum { UK_WRITES, UK_COUNTS, UK_ENDS };

// Which objects may be made again, see again.h.
enum { UK_AGAIN_TYPES, UK_AGAIN_OPS, UK_AGAIN_KINDS };

// What a thread has memory for that is valid until its next call.
enum { UK_SCRATCH_STATUSES, UK_SCRATCH_RANKS, UK_SCRATCH_HANDLES, UK_SCRATCHES };

// All that a call needs of its thread is in one place: what the layers above keep of it too.
struct uk_thread {
    unsigned gate;        // see above
    unsigned short rest;  // the gate's value once the current call has been left
    bool hidden;          // see unknot_hide
    bool forced;          // a plan names calls of this process, see objects/forced.h
    uint32_t stamp;       // of the current call's Enter record
    uintptr_t mark;       // a call from a frame above this address is looked at, see objects/memory.h
    uintptr_t low, reach; // so is a buffer whose address is in [low, low+reach)
    unsigned index;       // of the thread in its process
    struct uk_ring_header *ring;
    unsigned char *data; // the slots, mapped twice in a row
    uint64_t head, next; // published position; position after the record being written
    uint64_t tail;       // the consumer's position when last looked at
    uint64_t mask, capacity;
    uint64_t kept;        // the capacity is that of the ring again once the consumer's position is here
    struct uk_fold *fold; // NULL if all records are written
    unsigned folding;     // see above
    uint32_t shift;       // what its stamp is more than that of the one expected
    // The record that the next one is to equal, if it is to be counted; NULL if it is written, or may be.
    const uint64_t *expected;
    unsigned owes;                   // of what was made last, records perhaps; 0 if nothing, see again.c
    unsigned short knows_more;       // of the order of threads, which is not recorded yet, see process/order.h
    bool follows;                    // the order of this thread is followed
    bool vague;                      // it is not recorded when its calls return
    uint32_t came_back;              // the last stamp of any thread when its last call without an Exit record returned
    uint64_t parked[UK_AGAIN_KINDS]; // handles of objects that were freed, which is not recorded yet; 0 for none
    struct uk_again *again;          // NULL if all that is made and freed is recorded at once
    struct uk_callers *callers;      // ways to its calls, see process/callers.c; NULL if they are not known
    struct uk_way *way;              // of its last call
    struct uk_control *control;
    void *fortran_ra, **fortran_slot; // call site of the Fortran entry point passed last, see uk_fortran_note
    struct {
        bool live;      // the last Enter record is an unsuccessful poll with these arguments
        bool candidate; // the poll that is being made could become that
        unsigned id, n;
        unsigned func; // as it is entered
        uint64_t site, count;
        uint64_t words[UK_POLL_WORDS];
    } poll;
    struct {
        void *at;
        size_t size;
    } scratch[UK_SCRATCHES]; // grown on demand
};

extern __thread struct uk_thread uk_self __attribute__((tls_model("initial-exec")));

// The outermost call of this thread that is, or was, recorded. It may be left by other ways than its return: an error
// handler throws a C++ exception or jumps. It is over if the place on the stack that held its return address does not.
struct uk_call {
    void **frame; // of the wrapper, NULL if there is none
    void *ra;
    uint32_t stamp; // of the last Enter record before it
    unsigned id;
    bool through; // Fortran's, which calls the function of C
};
extern __thread struct uk_call uk_call __attribute__((tls_model("initial-exec")));

// The order of records within a process. Shared says that more than one thread may draw stamps.
struct uk_stamps {
    uint32_t last;
    bool shared;
};
extern struct uk_stamps uk_stamps;

// A piece of a long record. Ints are sign-extended, unsigned ones are not; bytes are padded to whole words (the word
// with a string's length goes before it as UK_WORDS).
enum uk_form { UK_WORDS, UK_INTS, UK_UINTS, UK_BYTES };
struct uk_chunk {
    const void *at;
    size_t n; // elements
    enum uk_form form;
};

// Makes the ring of this thread in the session directory. Returns false with errno set if it cannot be had.
bool uk_ring_create(struct uk_thread *, const char *session, struct uk_control *, unsigned index);
// Gives up the ring of a thread that has ended: it is kept for a later one, for which uk_ring_take gets it, or
// unmapped. Programs may start a thread for every step, and a ring takes a megabyte and a system call for each of its
// pages.
void uk_ring_leave(struct uk_thread *);
// Makes a ring that was left that of this thread, and says so in it. Returns false if there is none.
bool uk_ring_take(struct uk_thread *, struct uk_control *, unsigned index);
// Stops writing for good: what is still written goes to memory that nobody reads.
void uk_step_aside(struct uk_thread *);
// The same, and tells the agent, which then claims nothing of this rank any more: where there is no memory for a
// record. Not between uk_begin and uk_commit.
void uk_give_up(struct uk_thread *);
// Says whether nobody is going to take what is in a ring.
bool uk_ring_unread(const struct uk_ring_header *, const struct uk_control *);
// Says whether the agent has ended, or has said that it watches no more.
bool uk_agent_gone(const struct uk_control *);
// Wakes the agent, if it sleeps.
void uk_bell(struct uk_control *);
// Waits until there is room for slots more, or steps aside if nobody is going to make any.
void uk_room(struct uk_thread *, unsigned slots);
void uk_long(struct uk_thread *, unsigned id, unsigned kind, uint64_t site, const struct uk_chunk *, unsigned nchunks);
// Sleeps while a word that the consumer writes is as it was seen, for a short time; errno may be another then. Waited
// says that this is not the first time. Returns false if nobody is going to change it.
bool uk_wait(struct uk_thread *, const uint64_t *word, uint64_t seen, bool waited);

// What a record that may be left out where it repeats at once, see echo.c, does to an object: to all of it if the part
// is -1.
struct uk_effect {
    enum {
        UK_ALONE,
        UK_OPENS,       // something is pending from there on
        UK_OPENS_HERE,  // something is, for this thread only
        UK_CLOSES,      // it is no longer
        UK_CLOSES_HERE, // what is pending for this thread only is no longer
    } kind;
    uint64_t object;
    int64_t part;
};

// So many bytes of memory, all zero; NULL if there is none.
void *uk_pages(size_t);

// Folding, see fold.c. It is prepared for a ring that is this thread's now; without memory all records are written.
void uk_fold_create(struct uk_thread *);
// Ends it before the ring is left.
void uk_fold_leave(struct uk_thread *);
// Takes the record begun last.
void uk_fold_commit(struct uk_thread *);
void uk_fold_commit_as(struct uk_thread *, const struct uk_effect *);
// Counts a record of so many slots and of that stamp that equals the one expected, if it still is that one.
bool uk_fold_counts(struct uk_thread *, const uint64_t *expected, unsigned slots, uint32_t stamp);
// Has the next record written.
void uk_fold_end(struct uk_thread *);

// Objects made again, see again.h. It is prepared for a ring that is this thread's now; without memory all records are
// written.
void uk_again_create(struct uk_thread *);
// Ends it before the ring is left.
void uk_again_leave(struct uk_thread *);
// Tells what is owed, or that parked objects were freed, or both.
void uk_again_pay(struct uk_thread *);
void uk_again_flush(struct uk_thread *);
void uk_again_end(struct uk_thread *);
// Before a call that is given a handle: an object that had it and was freed is recorded as freed.
static inline void uk_again_uses(struct uk_thread *t, uint64_t handle)
{
    if (UK_UNLIKELY(handle != 0 && (handle == t->parked[UK_AGAIN_TYPES] || handle == t->parked[UK_AGAIN_OPS])))
        uk_again_flush(t);
}

static inline uint32_t uk_stamp(void)
{
    if (UK_UNLIKELY(uk_stamps.shared))
        return __atomic_add_fetch(&uk_stamps.last, 1, __ATOMIC_SEQ_CST);
    return ++uk_stamps.last;
}

// Most words that uk_begin can take; longer records need uk_long.
#define UK_WORDS_MAX (UK_WORDS_FIRST + (UK_MAX_SLOTS - 1) * UK_WORDS_NEXT)

static inline unsigned uk_slots(unsigned nwords)
{
    return nwords <= UK_WORDS_FIRST ? 1 : 1 + (nwords - UK_WORDS_FIRST + UK_WORDS_NEXT - 1) / UK_WORDS_NEXT;
}

// The words that a record of so many slots has room for.
static inline unsigned uk_words(unsigned slots)
{
    return UK_WORDS_FIRST + (slots - 1) * UK_WORDS_NEXT;
}

// Reserves a record without drawing a stamp.
static inline struct uk_record_header *uk_reserve(struct uk_thread *t, unsigned id, unsigned kind, uint64_t site,
                                                  unsigned nwords)
{
    unsigned slots = uk_slots(nwords);
    if (UK_UNLIKELY(t->head + slots - t->tail > t->capacity))
        uk_room(t, slots);
    struct uk_record_header *r = (void *)(t->data + (t->head & t->mask) * UK_SLOT_SIZE);
    r->func = (uint16_t)id;
    r->kind = (uint8_t)kind;
    r->slots = (uint8_t)slots;
    r->site = site;
    t->next = t->head + slots;
    return r;
}

// Publishes the record begun last, or counts it.
static inline void uk_commit(struct uk_thread *t)
{
    if (UK_LIKELY(t->fold)) {
        uk_fold_commit(t);
        return;
    }
    t->head = t->next;
    __atomic_store_n(&t->ring->head, t->head, __ATOMIC_RELEASE);
}

// The same of an Enter record that may be left out.
static inline void uk_commit_as(struct uk_thread *t, struct uk_effect effect)
{
    if (UK_LIKELY(t->fold))
        uk_fold_commit_as(t, &effect);
    else
        uk_commit(t);
}

// Ends the repetitions of an unsuccessful poll, which is live: tells how many there were unless that goes without
// saying. Succeeded says that the last of them found something.
void uk_poll_forget(struct uk_thread *, bool succeeded);

// Reserves a record of nwords ≤ UK_WORDS_MAX words, to be filled and published with uk_commit.
static inline uint64_t *uk_begin(struct uk_thread *t, unsigned id, unsigned kind, uint64_t site, unsigned nwords)
{
    if ((kind == UK_ENTER || kind == UK_EXIT) && UK_UNLIKELY(t->poll.live))
        uk_poll_forget(t, kind == UK_EXIT);
    struct uk_record_header *r = uk_reserve(t, id, kind, site, nwords);
    r->stamp = uk_stamp();
    if (kind == UK_ENTER)
        t->stamp = r->stamp;
    uint64_t *words = (uint64_t *)(r + 1);
    for (unsigned i = nwords; i < uk_words(uk_slots(nwords)); i++)
        words[i] = 0; // so that records of equal calls are equal
    return words;
}

// Counts a record if it is the one that is expected, without making it: what uk_begin and uk_commit would do, for less.
// Returns false if it is to be made. It is inlined where the number of words is a constant, and its words are seldom in
// memory then.
static inline __attribute__((always_inline)) bool uk_counts(struct uk_thread *t, unsigned id, unsigned kind,
                                                            uint64_t site, unsigned nwords, const uint64_t *words)
{
    const uint64_t *old = t->expected;
    if (!old || UK_UNLIKELY(t->poll.live) || UK_UNLIKELY(uk_stamps.shared))
        return false;
    const unsigned slots = uk_slots(nwords);
    const uint32_t stamp = uk_stamps.last + 1;
    uint64_t differs = ((uint32_t)old[0] ^ (id | kind << 16 | slots << 24)) |
                       ((stamp - (uint32_t)(old[0] >> 32)) ^ t->shift) | (old[1] ^ site);
#pragma GCC unroll 16
    for (unsigned i = 0; i < uk_words(slots); i++)
        differs |= old[2 + i] ^ (i < nwords ? words[i] : 0);
    if (UK_UNLIKELY(differs))
        return false;
    if (kind == UK_ENTER)
        t->stamp = stamp; // that of the record made instead, too
    return uk_fold_counts(t, old, slots, stamp);
}

// Tells that the current call returned and has no Exit record.
static inline void uk_returned(struct uk_thread *t)
{
    if (UK_UNLIKELY(t->follows)) {
        const uint32_t last = __atomic_load_n(&uk_stamps.last, __ATOMIC_SEQ_CST);
        if (UK_UNLIKELY(last != t->stamp || t->vague)) {
            t->came_back = last;
            t->knows_more = 1;
        }
    }
    __atomic_store_n(&t->ring->returned, t->stamp, __ATOMIC_RELEASE);
}

// Asks before a poll's Enter record whether it may be left out: true if the last Enter record of this thread is the
// same poll and was unsuccessful. A poll that succeeds after that writes its Exit record, which then belongs to that
// Enter record; one that fails again calls uk_poll_miss.
static inline int uk_poll_same(struct uk_thread *t, unsigned id, uint64_t site, unsigned n, const uint64_t *words)
{
    if (t->poll.live && t->poll.id == id && t->poll.site == site && t->poll.n == n &&
        __builtin_memcmp(t->poll.words, words, n * sizeof *words) == 0)
        return 1;
    if (t->poll.live)
        uk_poll_forget(t, false);
    if (UK_UNLIKELY(t->folding != UK_WRITES))
        uk_fold_end(t); // the header's count of polls is of the last record written
    t->poll.candidate = n <= UK_POLL_WORDS;
    if (t->poll.candidate) {
        t->poll.id = id;
        t->poll.site = site;
        t->poll.n = n;
        __builtin_memcpy(t->poll.words, words, n * sizeof *words);
    }
    return 0;
}

// Tells that the poll just made was unsuccessful: counts it if its Enter record was left out, else remembers it and
// marks it as returned.
static inline void uk_poll_miss(struct uk_thread *t)
{
    if (t->poll.live) {
        __atomic_store_n(&t->ring->polls, ++t->poll.count, __ATOMIC_RELEASE);
        return;
    }
    t->poll.live = t->poll.candidate;
    t->poll.candidate = false;
    t->poll.func = uk_call.id;
    uk_returned(t);
}

#endif
