// Objects that a program makes, uses and frees again and again, such as a datatype for each message: what again.c keeps
// of them, and what wrappers ask of it. To the agent such a making is one short record, in place of those of the call
// that makes the object, of the one that commits it, and of the one that has freed the object before it.
//
// Runs: in calls that make, commit and free objects, on the thread that makes them, before and after the real function;
// at the beginning of the call after one of these; before a call that is given the handle of an object that was freed.
//
// Never: allocates but by mmap, when a ring is made; locks; or calls what the program may have replaced.
#ifndef UK_AGAIN_H
#define UK_AGAIN_H

#include "writer/writer.h"

enum {
    UK_AGAIN_WORDS = 6,  // most arguments that a making may have
    UK_AGAIN_SETS = 64,  // of makings whose arguments have the same hash
    UK_AGAIN_WAYS = 4,   // makings of a set
    UK_AGAIN_LIVE = 64,  // places for handles of objects that are there
    UK_AGAIN_ASKED = 64, // questions that are remembered
};

// A call that makes an object.
struct uk_making {
    unsigned kind, id, n; // which objects, see uk_thread; of the function; of the words
    unsigned hash;        // of all the rest, once it was asked whether this is known
    uint64_t site;
    uint64_t words[UK_AGAIN_WORDS]; // those of its Enter record, or what stands for them
};

// A making that was seen, and what it made.
struct uk_known {
    struct uk_making by;
    uint64_t made[2]; // words of its Exit record: the handle first
    enum { UK_NOT_SEEN, UK_SEEN_ONCE, UK_TOLD } state;
};

struct uk_again {
    struct uk_known known[UK_AGAIN_SETS * UK_AGAIN_WAYS];
    unsigned char turn[UK_AGAIN_SETS]; // the way of a set that is given to another making next
    struct uk_known *last;             // what was made last and is to be committed next
    // Objects that are there, by hash of their handles, and how they were made.
    struct {
        uint64_t handle;
        const struct uk_known *known;
    } live[UK_AGAIN_LIVE];
    // Questions that were asked, by hash, and when: in which of the times between two of which a handle may have come
    // to stand for something else.
    struct {
        struct uk_making by;
        uint64_t time;
    } asked[UK_AGAIN_ASKED];
    uint64_t time; // from 1
    // The calls that have freed the objects whose handles the thread has parked.
    struct {
        unsigned id;
        uint64_t site;
    } freed[UK_AGAIN_KINDS];
};

// Before the real function makes an object: says whether a making like this one has been recorded, so that no Enter
// record is to be written.
bool uk_again_known(struct uk_thread *, struct uk_making *);
// After it: says whether it has made what it made then, so that no Exit record is to be written either. Of what is to
// be committed, nothing is recorded before that.
bool uk_again_made(struct uk_thread *, const struct uk_making *, uint64_t handle);
// After one whose records were written: says whether a making like this one, whatever it made, has been seen; if not,
// it may only be learned if what the new object is made of is predefined, as other handles may come to stand for
// something else.
bool uk_again_seen(struct uk_thread *, const struct uk_making *);
void uk_again_learn(struct uk_thread *, const struct uk_making *, const uint64_t made[2]);
// Before the real function commits an object: says whether no Enter record is to be written, as it is the one made
// last.
bool uk_again_commits(struct uk_thread *, uint64_t handle);
// After it: tells that the object was made and committed again; or, where the records of both calls were written,
// learns that.
void uk_again_committed(struct uk_thread *, uint64_t site);
// Before the real function frees an object: says whether no Enter record is to be written, as the object is one of
// those above.
bool uk_again_frees(struct uk_thread *, uint64_t handle);
// After it: the call is recorded later, by its successor, or before the handle is used.
void uk_again_freed(struct uk_thread *, unsigned kind, unsigned id, uint64_t site, uint64_t handle);
// Before the real function is asked something that changes nothing: says whether it has been asked that before, so that
// nothing is recorded, and counts it then.
bool uk_again_asked(struct uk_thread *, struct uk_making *);
// After a question that was recorded and answered: remembers it. A datatype that it names is predefined, or has another
// word than its handle.
void uk_again_answered(struct uk_thread *, const struct uk_making *);
// The word that stands for a datatype in a question: for the same one, whatever its handle, if it is one that was made
// again, else the handle.
uint64_t uk_again_type(const struct uk_thread *, uint64_t handle);
// A communicator may be gone: its handle may come to stand for another one.
static inline void uk_again_ages(struct uk_thread *t)
{
    if (t->again)
        t->again->time++;
}
// The object is gone, or may be, by a call whose record is written.
void uk_again_gone(struct uk_thread *, uint64_t handle);

#endif
