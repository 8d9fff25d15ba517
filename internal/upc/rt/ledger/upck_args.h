/*
 * What the generated wrappers (upckw_*.upc) ask of their arguments. All of it is O(1) and of this thread's own
 * knowledge, unless said; where something is not known, the answer is the one of a correct program.
 */
#ifndef UPCK_ARGS_H
#define UPCK_ARGS_H

#include <stddef.h>
#include <stdint.h>
#include <upc.h>

#include "upck.h"
#include "upck_ops.h"

/* ---- Numbers. ---- */

#define UPCK_HUGE(n) ((n) > (size_t)PTRDIFF_MAX)
#define UPCK_OVERFLOWS(a, b) ((b) != 0 && (a) > SIZE_MAX / (b))
/* One bit of x at most. */
#define UPCK_SINGLE(x) (((x) & ((x)-1)) == 0)

/*
 * Flags of collective functions. No thread leaves before all have come only with both parts ALLSYNC, which are the
 * default.
 */
#define UPCK_IN (UPC_IN_ALLSYNC | UPC_IN_MYSYNC | UPC_IN_NOSYNC)
#define UPCK_OUT (UPC_OUT_ALLSYNC | UPC_OUT_MYSYNC | UPC_OUT_NOSYNC)
#define UPCK_SYNC(flags) (((flags) & (UPC_IN_MYSYNC | UPC_IN_NOSYNC | UPC_OUT_MYSYNC | UPC_OUT_NOSYNC)) == 0)
const char *upck_flag_names(int flags);

/*
 * ---- Why the last question was answered with yes: the rest of a sentence that begins with the argument's name. ----
 */

const char *upck_reason(void);
void upck_because(const char *format, ...);

/* ---- Shared objects (ledger_objects.upc, ledger_extent.upc). ---- */

enum upck_how { UPCK_ALLOC = 1, UPCK_GLOBAL, UPCK_ALL, UPCK_LOCK, UPCK_FILE, UPCK_DOMAIN, UPCK_TOGETHER = 16 };
/* What is wrong with a pointer that is to be freed, or used as a lock or the like. */
enum upck_bad { UPCK_FINE, UPCK_INTERIOR, UPCK_STATIC, UPCK_FREED_HERE, UPCK_FREED_THERE, UPCK_OPAQUE, UPCK_NEVER };

/* A new object: nblocks blocks of nbytes from thread 0 on, or, except for UPCK_GLOBAL and UPCK_ALL, nblocks * nbytes
   bytes on the thread that ptr points to. UPCK_TOGETHER is added where all threads do so together. */
void upck_allocated(shared void *ptr, unsigned long nblocks, unsigned long nbytes, const struct upck_site *, int how);
/* The object is about to be freed by this thread, or by all at a time. */
void upck_freed(shared void *ptr, const struct upck_site *, int collective);
/* Looks at the counters of all threads. */
int upck_bad_free(const struct upck_site *, int arg, shared void *ptr, int collective);
/* how is UPCK_LOCK or UPCK_DOMAIN. Asks other threads only if this one does not know the object. */
int upck_bad_opaque(const struct upck_site *, int arg, shared void *ptr, int how);
/*
 * Both point into one object that this thread knows. The bytes of a block of it, 0 if all of it is on one thread; -1 if
 * not known.
 */
int upck_same_object(shared const void *, shared const void *);
long upck_object_block(shared const void *);
/* ptr points to a lock, a file or a domain. */
int upck_opaque(const struct upck_site *, int arg, shared const void *ptr);
/* ptr points to no object, as far as known: to a thread that there is not, or to freed memory. */
int upck_dead(const struct upck_site *, int arg, shared const void *ptr);
/* The bytes from ptr on are not all in its object: n on one thread; n on every thread; n elements of size bytes in
   blocks of block of them (0: indefinite), from phase on. */
int upck_leaves_one(const struct upck_site *, int arg, shared const void *ptr, size_t n);
int upck_leaves_each(const struct upck_site *, int arg, shared const void *ptr, size_t n);
int upck_leaves(const struct upck_site *, int arg, shared const void *ptr, size_t n, size_t block, size_t size,
                size_t phase);
/* The same for a private pointer to n bytes: they leave an object whose size the source tells; and, for functions
   where a question to the kernel does not matter, they are not all memory of the program. */
int upck_private_leaves(const struct upck_site *, int arg, const void *ptr, size_t n);
/* Nothing in the source sets what a private pointer points to. */
int upck_unset(const struct upck_site *, int arg);
int upck_no_memory(const void *ptr, size_t n, int written);
/*
 * Two ranges have a byte in common. one: bytes on the threads of the pointers only; each: on every thread, from where
 * they point to.
 */
int upck_overlap(shared const void *a, size_t na, shared const void *b, size_t nb);
int upck_overlap_each(shared const void *a, size_t na, shared const void *b, size_t nb);
int upck_overlap_elements(shared const void *dst, size_t nd, shared const void *src, size_t ns, size_t block,
                          size_t size);
int upck_overlap_private(const void *a, shared const void *b, size_t n);
/*
 * Another thread for which perm has the same element as for this one, target, or -1. At least one of two threads finds
 * the other.
 */
int upck_twice(shared const int *perm, int target);
/* The address is not a multiple of the type's alignment. */
int upck_misaligned(shared const void *ptr, size_t alignment);
/* ptr points into an object that is alive, for sure. */
int upck_inside(const struct upck_site *, int arg, shared const void *ptr);
/* By the source: the argument points to elements of another arithmetic type; it is a pointer to blocks of another
   size in bytes, or elements; the n bytes go beyond the end of the block that it points into. */
int upck_other_type(const struct upck_site *, int arg, int kind, size_t size);
int upck_other_block_bytes(const struct upck_site *, int arg, size_t bytes);
int upck_other_block(const struct upck_site *, int arg, size_t block);
int upck_beyond_block(const struct upck_site *, int arg, shared const void *ptr, size_t n);

/* Nblocks blocks of nbytes are allocated, and the source takes the result for a pointer to blocks of another size. */
int upck_other_layout(const struct upck_site *, size_t nblocks, size_t nbytes);

/* ---- What sources do with pointers (ledger_pointers.upc); the operands are the arguments of their places. ---- */

/* A cast to pointer-to-local, of ptr, which it gives back. */
shared void *upck_local(const struct upck_site *, shared const void *ptr);
/* A cast of a generic pointer to one to blocks of so many elements. */
shared void *upck_retyped(const struct upck_site *, shared const void *ptr, unsigned long block);
/* An access through ptr, of size bytes from byte from on of what it points to, whose type has an alignment. */
void upck_access(const struct upck_site *, shared const void *ptr, unsigned long from, unsigned long size,
                 unsigned long alignment);
/*
 * An access to an element after, of what before points to: bytes up to byte to of it. Pointers are to blocks of block
 * elements of element bytes each.
 */
void upck_element(const struct upck_site *, shared const void *before, shared const void *after, unsigned long block,
                  unsigned long element, unsigned long to, unsigned long alignment);
/* Arithmetic that makes after of the pointer before. */
void upck_walked(const struct upck_site *, shared const void *before, shared const void *after, unsigned long block,
                 unsigned long element);
/*
 * A subscript, which is given back, of a dimension of a declared array, or of an inner one. behind: 1 if it may be that
 * of the end.
 */
long upck_index(const struct upck_site *, long index, unsigned long length, int behind, int inner);
/* Where a pointer-to-local comes from: bits of origin.go. */
enum { UPCK_FROM_CAST = 1, UPCK_FROM_UPC_CAST = 2 };
/* An access through a pointer-to-local: bytes up to byte to of what after points to, which was computed from before. */
void upck_near(const struct upck_site *, const void *before, const void *after, unsigned long to, int origin);
/* A cast gives a null pointer-to-local. */
void upck_gives_null(const struct upck_site *, int origin);
/*
 * A pointer-to-local is stored in a shared object; is read from one, which gives what is known of it, or 0; is
 * followed, of which something is known.
 */
void upck_stored(const struct upck_site *, shared const void *place, const void *value, int origin);
int upck_fetched(shared const void *place, const void *value);
void upck_follows(const struct upck_site *, int known);
/* A pointer that upc_all_fcntl has given is used (ledger_given.upc). */
void upck_uses_given(const struct upck_site *, const void *value);
/* The source does what is legal and rarely intended. */
void upck_doubtful(const struct upck_site *, const char *id, const char *words);
/* A statement has accessed both, in no order. */
void upck_alias(const struct upck_site *, shared const void *p, const void *q);
/* What an address of this process is in shared memory (patience.upc): 0 if it is in none, -1 if that is not known. */
int upck_in_segment(const void *ptr, unsigned long *thread, unsigned long *address);
/*
 * Shared memory at this upc_addrfield is for objects that are allocated, and for nothing else (patience.upc). 0 if that
 * is not known.
 */
int upck_heap(unsigned long address);
/* A difference, or an order if ordered says so, of pointers to elements that are no arrays. */
void upck_differ(const struct upck_site *, shared const void *a, shared const void *b, int ordered);

/* ---- Private memory (ledger_memory.upc). ---- */

int upck_readable(const void *ptr, size_t n);
int upck_writable(void *ptr, size_t n);
int upck_readable_text(const char *text);
unsigned long upck_hash(unsigned long seed, const void *ptr, size_t n);
unsigned long upck_hash_text(unsigned long seed, const char *text);

/* ---- Values for comparison with other threads, beside those of upck.h: functions. ---- */

struct upck_value upck_code(int arg, void (*function)(void));

/* ---- At the end of this thread (for the run-time of the checks). ---- */

void upck_ledger_end(const struct upck_site *);

#endif
