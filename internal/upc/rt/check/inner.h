/*
 * What the files of the checker's run-time share. docs/upc-check-protocol.md describes the protocol;
 * internal/upc/check/model is the same as a state machine, which its tests drive through all orders of its steps.
 *
 * Shared objects whose names are in the first list are strict, and each thread writes only its own elements
 * (upck_valued: any thread, always the same value for a phase; upck_held: 0 by whoever frees the lock). Records and
 * statuses are relaxed; a strict write follows before others may look at them. So is a write to upck_blocked that the
 * thread's next strict access may take with it: all accesses before a strict one come before it.
 */
#ifndef UPCK_INNER_H
#define UPCK_INNER_H

#include <stddef.h>
#include <upc_relaxed.h>

#include "upck.h"
#include "upck_ops.h"

#ifndef UPCK_SLOTS
#define UPCK_SLOTS 64 /* operations that a thread may be ahead of its neighbours, and one */
#endif
enum { UPCK_HELD = 64, UPCK_FORALLS = 64 };
#define UPCK_HAS_ENDED (~0UL)

/* ---- What the protocol is made of. ---- */

extern strict shared unsigned long upck_count[THREADS]; /* operations that have begun; their records can be read */
/* N + 1 in operation n that nobody can leave before all have come; UPCK_HAS_ENDED. */
extern strict shared unsigned long upck_blocked[THREADS];
extern strict shared unsigned long upck_want[THREADS]; /* the lock that is waited for, or 0 */
/* The lock that upc_lock_attempt is called for again and again, or 0. */
extern strict shared unsigned long upck_tries[THREADS];
extern strict shared unsigned long upck_spinning[THREADS]; /* 1 in a loop that ends only by what others write */
extern strict shared unsigned long upck_ahead[THREADS];    /* UPCK_AHEAD of the neighbour that is waited for, or 0 */
extern strict shared unsigned long upck_moves[THREADS];    /* grows before each change of want, held and ahead */
extern strict shared unsigned long upck_top[THREADS];      /* entries of held that have ever been used */
extern strict shared[UPCK_HELD] unsigned long upck_held[UPCK_HELD * THREADS]; /* the locks that are held, or 0 */
extern strict shared[] unsigned long upck_valued[UPCK_SLOTS]; /* n + 1 if a upc_notify with operation n had a value */

#define UPCK_AHEAD(thread, count) ((unsigned long)(count) << 20 | (unsigned long)(thread))
#define UPCK_AHEAD_THREAD(a) ((int)((a)&0xfffff))
#define UPCK_AHEAD_COUNT(a) ((a) >> 20)

/* An operation of a thread. */
struct upck_record {
    unsigned long n, hash;                   /* of the operation and of its values */
    unsigned long foralls;                   /* hash of the upc_foralls before it; 0: not known */
    unsigned long first_forall, last_forall; /* their numbers, from first to before last */
    long site, wait_site;
    int op, sync, nvalues;
    int has, value;           /* of a upc_notify or upc_barrier */
    int wait_has, wait_value; /* of the upc_wait after it */
    struct upck_value values[UPCK_VALUES];
};
/* What is in use of one. */
#define UPCK_USED(r) (offsetof(struct upck_record, values) + (size_t)(r)->nvalues * sizeof(struct upck_value))
extern shared[UPCK_SLOTS] struct upck_record upck_records[UPCK_SLOTS * THREADS];

struct upck_loop {
    unsigned long number, hash, trips;
    long site;
};
extern shared[UPCK_FORALLS] struct upck_loop upck_loops[UPCK_FORALLS * THREADS];

/* For the words only: what a thread is at; doing is one of upck_doing. */
struct upck_status {
    int doing;
    long site; /* of that, or of the last checked place */
    unsigned long lock;
};
extern shared struct upck_status upck_statuses[THREADS];
extern shared unsigned long upck_failures[THREADS]; /* of upc_lock_attempt, and of the conditions of such loops */
extern shared[UPCK_HELD] long upck_held_sites[UPCK_HELD * THREADS];

/* ---- A thread's own. ---- */

struct upck_mine {
    unsigned long n;         /* number of the next operation */
    int open;                /* between upc_notify and upc_wait */
    int inside;              /* an operation that has been announced is carried out */
    int held, blocked, more; /* more: it has held more locks at a time than there is room for */
    const struct upck_site *notified, *leaving;
    struct upck_record last;
};
extern struct upck_mine upck_mine;

/* What the program was compiled without: its unchecked sources, or 0; bits of the checks that were not wanted,
   UPCK_NO_ARGUMENTS and UPCK_NO_DEADLOCKS. */
extern const char *const upck_unchecked_objects;
extern const int upck_without;

/* ---- Files of the run-time, by what they do. ---- */

/* start.upc */
extern int upck_goes_on; /* UPCCHECK_STOP_ON_ERROR=FALSE */
extern double upck_livelock_seconds;
extern const char *upck_report_path;
extern const char *upck_watcher_path; /* the file of unknot run, or 0 */
double upck_now(void);
void upck_pause(unsigned *step);

/*
 * sites: processes may have the program at different addresses, so places are given by their distance from one object.
 */
long upck_place(const void *p);
const struct upck_site *upck_site_at(long place); /* 0 if there can be none */

/* patience.upc: around what must not look to the run-time of UPC as if the program was waiting; and a lock, where
   the program does not reach it if the run-time has such a place. */
int upck_patience(void);
void upck_give_patience(int kept);
upc_lock_t *upck_gate_lock(void);
int upck_heap(unsigned long address);
int upck_in_segment(const void *ptr, unsigned long *thread, unsigned long *address);
/* upck_something_acts is called where the program makes threads of POSIX, or sets handlers of signals or of its end. */
int upck_knows_what_acts(void);

/* ring.upc */
void upck_record_for(struct upck_record *record, int op, int sync); /* without values */
void upck_begin(const struct upck_site *site, struct upck_record *record);
/* 0 if it has not come to n, or the record is not there any more. */
int upck_record_of(int thread, unsigned long n, struct upck_record *to);
struct upck_record *upck_own_record(unsigned long n);
void upck_skip(void); /* an operation that nothing is known of */
void upck_set_status(int doing, const struct upck_site *site, unsigned long lock);
unsigned long upck_mix(unsigned long hash, unsigned long word);

/*
 * spin.upc: whether all threads wait forever, which this one asks each time that it has to try again. It has waited for
 * some time.
 */
int upck_all_stuck(void);
int upck_certain(void); /* nothing else acts in the program than its threads */
void upck_something_acts(void);
double upck_seconds_between_looks(void);

/* values.upc */
void upck_compare_values(unsigned long n);

/* parts.upc: parts of files that a thread has read or written since all could see what others have written. */
enum { UPCK_PARTS = 48 };
struct upck_file_part {
    unsigned long phase;
    unsigned long n; /* the operation, or the last one of several that read or wrote without a gap */
    long long from, end;
    long site;
    unsigned turn; /* and phase: of upck_touch */
    int writing;
};
int upck_parts_of(int thread, struct upck_file_part *to); /* how many; to has room for UPCK_PARTS */
/* Waits for the parts of threads that have begun operation n - 1, but not long: a thread may have none. */
void upck_await_parts(unsigned long n);
/* unsynced.upc: the report about two parts, of this thread and of another one. */
void upck_unsynced(const char *file, const struct upck_file_part *mine, int other, const struct upck_file_part *theirs);

/* ledger_*.upc: objects, files, handles. */
void upck_ledger_end(void);

/* loops.upc */
void upck_take_foralls(struct upck_record *record);
int upck_in_region(const struct upck_site **outermost);

/* locks.upc */
unsigned long upck_lock_id(shared const void *lock);
void upck_still_held(const struct upck_site *site);
void upck_waited_for_at_end(void);
int upck_find_holder(unsigned long id, int *index);
int upck_holds_any(void);
void upck_stop_trying(void);

/* lockorder.upc: a lock has been taken, and is not among those that are held yet; a lock is freed. */
void upck_lock_order(const struct upck_site *site, unsigned long taken);
void upck_lock_order_ends(void);

/* chain.upc: who waits for whom. */
enum upck_end_of_chain { UPCK_ENDS_RUNNING, UPCK_ENDS_FREE, UPCK_ENDS_CYCLE, UPCK_ENDS_COLLECTIVE, UPCK_ENDS_ENDED };
struct upck_link {
    int thread, next;          /* thread waits for next */
    unsigned long want, ahead; /* one of them is not 0: the reason */
    int tries;                 /* want is the lock that thread tries to get */
    int index;                 /* of the lock among those that next holds */
    unsigned long moves, next_moves;
};
struct upck_chain {
    struct upck_link *links;
    int n, last, end;
    int from;         /* a cycle begins at this link */
    unsigned long at; /* a collective operation that the last one is in */
    int missing;      /* a thread that has not come to it */
};
/* All of a chain is as it was when it was found. */
int upck_stands(const struct upck_chain *chain);
/* A lock deadlock that the calling thread is part of, or waits for; 0 if there is none. id != 0: threads that try to
   get a lock count as waiting for it, and the calling thread tries to get this one. */
struct upck_chain *upck_deadlock(unsigned long id);
/* The calling thread is in operation n, or has ended, and others wait for its locks. */
struct upck_chain *upck_waited_for(unsigned long n);

/* gate.upc: who may report. */
void upck_gate_start(void);
void upck_gate(void); /* waits for its turn */
void upck_leave_gate(void);
void upck_settle(void);
unsigned long upck_all_moves(void); /* what changes when anybody gets anywhere */
int upck_all_rest(void);            /* all others have ended, or wait for what cannot come while nobody moves */
void upck_finish(void);             /* ends the program */
extern int upck_failed;             /* this thread has printed an error, and went on */

/* mismatch.upc, stuck.upc: the reports. */
void upck_mismatch(int other, unsigned long n);
void upck_value_mismatch(unsigned long n, int a, int a_waits, int b, int b_waits);
void upck_stuck(struct upck_chain *chain);
/* certain: the program is ended. */
void upck_livelock(struct upck_chain *chain, const struct upck_site *site, double seconds, int certain);
void upck_spun(const struct upck_site *site);

#endif
