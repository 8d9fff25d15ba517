/*
 * The checker's run-time as instrumented sources and the wrappers of library functions see it. It is UPC 1.3, includes
 * nothing but its own layout, and takes no names but upck_ and UPCK_.
 */
#ifndef UPCK_H
#define UPCK_H

/* Places of calls, their arguments and what is known of these, what instrumented sources call, and what is shared
   with unknot: from internal/upc/layout. */
#include "upck_layout.h"

/*
 * Values of arguments that must be the same on all threads (single-valued ones). arg is the number of the argument,
 * from 0.
 */
enum { UPCK_INT, UPCK_UNSIGNED, UPCK_SHARED, UPCK_TEXT, UPCK_DOUBLE };
enum { UPCK_VALUES = 8 };
struct upck_value {
    int arg, kind;
    unsigned long long bits[3];
};
struct upck_value upck_int(int arg, long long value);
struct upck_value upck_unsigned(int arg, unsigned long long value);
struct upck_value upck_shared(int arg, shared const void *value);
struct upck_value upck_text(int arg, const char *value);
struct upck_value upck_double(int arg, double value);

/* "a.upc:3"; of a place without a line, what it is called. The four last ones stay. */
const char *upck_at(const char *file, int line);
const char *upck_spot(const struct upck_site *site);

/* UPCCHECK_SUSPICIOUS=TRUE: what is legal but often unintended is reported as well. */
int upck_suspicious(void);

/*
 * The life of a thread. upck_leave remembers where main is left; upck_end is the end of the thread's part in the
 * checks.
 */
void upck_start(void);
void upck_leave(const struct upck_site *site);
void upck_end(void);
void upck_exit(const struct upck_site *site, int status);
/* The exit status of a thread that would end with its own. */
int upck_status(int own);
int upck_unchecked(void);

/* Calls of the program's functions, where they are followed. */
void upck_push(const struct upck_site *site);
void upck_pop(void);

/* Statements; they do what the statement does, too. */
void upck_barrier(const struct upck_site *site, int has, int value);
void upck_notify(const struct upck_site *site, int has, int value);
void upck_wait(const struct upck_site *site, int has, int value);
int upck_notified(void); /* between upc_notify and upc_wait */

/*
 * The condition of a loop that reads strict shared objects until they have other values, and does nothing else. Gives
 * what it is given.
 */
int upck_spins(const struct upck_site *site, int goes_on);

/*
 * upc_forall. trips counts iterations; hash is made of the condition and of the affinity in all iterations, or of what
 * decides these.
 */
void upck_forall_begin(const struct upck_site *site, int controlling);
void upck_forall_end(const struct upck_site *site, unsigned long hash, unsigned long trips);
int upck_forall_depth(void);
void upck_forall_left(int depth);

/* Before a collective operation: op is its number, sync says that no thread can leave it before all have come. */
void upck_collective(const struct upck_site *site, int op, int sync, int n, const struct upck_value *values);
void upck_done(void);
unsigned long upck_number(void); /* of the operation that has begun; the same on all threads, and not 0 */

/* Around calls of collective functions, and after statements, in parts of the program that are not seen otherwise.
   What upck_passing gives is for upck_passed. upck_released comes before upc_unlock and upc_all_lock_free,
   upck_lock_gone before upc_lock_free. */
int upck_passing(void);
void upck_passed(int outer);
void upck_passed_notify(void);
void upck_passed_wait(void);
void upck_released(shared void *lock);
void upck_lock_gone(shared void *lock);

/*
 * An argument is wrong (arg < 0: the call itself). id is the check's, the words are the cause: "nbytes is 0, and must
 * be positive".
 */
void upck_wrong(const struct upck_site *site, const char *id, int severity, int arg, const char *format, ...);

/* Around a reduction, which calls a function of the program, argument arg, if calls says so: id is the check's. What
   upck_calls_back gives is for upck_called_back. upck_within and upck_writes come before what such a function is not
   to do: "executes a lock operation". */
struct upck_operator {
    const struct upck_site *site;
    const char *id;
    int arg;
};
struct upck_operator upck_calls_back(const struct upck_site *site, const char *id, int arg, int calls);
void upck_called_back(struct upck_operator outer);
void upck_within(const struct upck_site *site, const char *does);
void upck_writes(const struct upck_site *site);

/* Parts of files (parts.upc). phase is the number of the operation since which nothing has made what threads write
   visible to others: that of the last upc_all_fsync or the like, or of upc_all_fopen. turn changes each time that
   the file is read after it was written, or the other way round. */
enum { UPCK_RANGES = 64 };
struct upck_range {
    long long from, end;
};
struct upck_touch {
    const char *file;
    unsigned long phase, turn;
    int writing;
};
/* In the collective operation that has begun this thread reads or writes these ranges, UPCK_RANGES at most. */
void upck_touches(const struct upck_site *site, const struct upck_touch *touch, const struct upck_range *ranges, int n);
/* The phase is over on all threads. */
void upck_untouched(unsigned long phase);

/* Locks. upck_locking says whether it has taken the lock itself, so that upc_lock is not to be called. */
void upck_lock_made(shared void *lock, const struct upck_site *site, int collective);
void upck_lock_freed(shared void *lock, const struct upck_site *site, int collective);
int upck_locking(const struct upck_site *site, shared void *lock);
void upck_attempting(const struct upck_site *site, shared void *lock);
void upck_locked(const struct upck_site *site, shared void *lock, int got);
void upck_unlocking(const struct upck_site *site, shared void *lock);

#endif
