/*
 * The probe of OpenSHMEM programs: records what a PE does into a stream that unknot reads (internal/shmem/layout).
 * Wrappers of the functions of shmem.h are generated; each calls sh_enter, says by the functions below what the call
 * does, and calls the function of the library.
 *
 * Nothing here changes what the program sees, ends it, or is recorded when nobody reads.
 */
#ifndef SH_H
#define SH_H

#include <stddef.h>
#include <stdint.h>
#include <stdatomic.h>
#include <string.h>

#include "layout.h"

#define SH_LOCAL __attribute__((visibility("hidden")))

/* A call of the program, while it is made. */
struct sh_call {
    const char *name;
    const void *caller;
    uint64_t begun; /* tickets that had been given out when it was begun */
    unsigned site;
    int recorded;     /* it is to be recorded */
    int nested;       /* the library calls itself */
    uint64_t context; /* in which it is, until it is left */
};

/* Elements of a remote or local array: count of them, bytes each, stride elements from one to the next. */
struct sh_array {
    const void *at;
    uint64_t count, bytes;
    ptrdiff_t stride;
    int argument; /* UKS_ARG_… */
};

struct sh_set {
    int start, log_stride, size;
};

/* Hashes of text (FNV-1a), the second of a longer one that begins with what had a sum. */
static inline uint32_t sh_hash32(const char *text)
{
    uint32_t sum = 0x811c9dc5;
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x01000193;
    return sum;
}

#define SH_HASH64 UINT64_C(0xcbf29ce484222325) /* of nothing */

static inline uint64_t sh_hash64(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return sum;
}

/* The name of a file, without its directories. */
static inline const char *sh_base(const char *path)
{
    const char *base = strrchr(path, '/');
    return base ? base + 1 : path;
}

/* job.c: entering and leaving a call, the stream. */
SH_LOCAL void *sh_real(const char *name);
SH_LOCAL void sh_enter(struct sh_call *c, const char *name, const void *caller);
SH_LOCAL void sh_enter_aside(struct sh_call *c, const char *name, const void *caller);
SH_LOCAL void sh_leave(struct sh_call *c);
SH_LOCAL void sh_needs(struct sh_call *c);
SH_LOCAL void sh_put_record(struct sh_call *c, struct upcr_record r);
SH_LOCAL void sh_wrong(struct sh_call *c, int mistake, uint64_t offset, uint64_t count, uint64_t value,
                       unsigned argument);
SH_LOCAL uint64_t sh_tickets(void);
SH_LOCAL int sh_is_first(uint64_t call);
SH_LOCAL int sh_busy(void);
SH_LOCAL int sh_between(void);
SH_LOCAL int sh_me(void);
SH_LOCAL int sh_pes(void);
SH_LOCAL void sh_looked(void);
SH_LOCAL void sh_initialises(struct sh_call *c, int level);
SH_LOCAL void sh_initialised(struct sh_call *c, int level);
SH_LOCAL void sh_finalises(struct sh_call *c);
SH_LOCAL void sh_finalised(struct sh_call *c);
SH_LOCAL void sh_died(int sig, int code, int sender, void *pc);

/* death.c: how the process ends. */
SH_LOCAL void sh_death_init(void);

/* site.c: places in the program. */
SH_LOCAL void sh_sites(struct uks_job *job, const char *session);
SH_LOCAL unsigned sh_site(const char *name, const void *caller);

/* memory.c: the symmetric heap and variables. */
enum sh_ground { SH_SYMMETRIC, SH_PRIVATE, SH_FREED };
SH_LOCAL enum sh_ground sh_place(const void *at, uint64_t *offset, uint64_t *room, unsigned *freed);
SH_LOCAL int sh_extent(const void *at, uint64_t *from, uint64_t *bytes, uint64_t *offset);
SH_LOCAL int sh_symmetric(struct sh_call *c, const struct sh_array *a, uint64_t *offset);
SH_LOCAL int sh_readable(struct sh_call *c, const struct sh_array *a);
SH_LOCAL void sh_allocated(struct sh_call *c, void *at, uint64_t bytes);
SH_LOCAL int sh_frees(struct sh_call *c, void *at);
SH_LOCAL void sh_freed(struct sh_call *c, void *at);

/* own.c: what the program does with memory itself. */
SH_LOCAL void sh_own_mode(const char *mark);
SH_LOCAL void sh_own_begins(void);
SH_LOCAL void sh_own_ends(void);
SH_LOCAL void sh_own_block(const void *at, uint64_t bytes);
SH_LOCAL void sh_own_block_gone(const void *at, uint64_t offset);
SH_LOCAL int sh_own_lends(const struct sh_array *a, uint64_t context);
SH_LOCAL void sh_own_back(uint64_t context);
SH_LOCAL void sh_own_tell(struct sh_call *c);

/* direct.c: memory of other PEs that the program reaches itself (shmem_ptr). */
SH_LOCAL int sh_own_reaches(int pe, const void *mine, const void *theirs);
SH_LOCAL int sh_direct_add(int pe, uint64_t from, uint64_t bytes, uint64_t offset);
SH_LOCAL int sh_direct_known(uint64_t from, uint64_t bytes, uint64_t offset);
SH_LOCAL uint64_t sh_direct_drop(uint64_t offset);
SH_LOCAL int sh_direct_place(uint64_t at, uint64_t *offset, uint64_t *left);

/* external.c: that a PE may have synchronised with others otherwise. */
SH_LOCAL void sh_external_tell(struct sh_call *c);

/* access.c: remote memory. */
SH_LOCAL void sh_access(struct sh_call *c, int kind, int flags, int pe, const struct sh_array *a, uint64_t value);
SH_LOCAL void sh_put(struct sh_call *c, uint64_t context, struct sh_array to, struct sh_array from, int pe, int nbi);
SH_LOCAL int sh_get_begins(struct sh_call *c, uint64_t context, struct sh_array to, struct sh_array from, int pe,
                           int nbi);
SH_LOCAL void sh_get_ends(struct sh_call *c, struct sh_array to, struct sh_array from, int pe);
SH_LOCAL int sh_atomic(struct sh_call *c, uint64_t context, struct sh_array word, int pe, int fetches, int writes,
                       int real);
SH_LOCAL void sh_atomic_ends(struct sh_call *c, struct sh_array word, int pe, int writes, int real);

SH_LOCAL void sh_maps(struct sh_call *c, const void *mine, const void *theirs, int pe);

/* order.c: what orders accesses. */
SH_LOCAL uint64_t sh_context(struct sh_call *c, const void *context, const void *otherwise);
SH_LOCAL void sh_context_left(struct sh_call *c);
SH_LOCAL void sh_context_made(struct sh_call *c, const void *context, int private, int serialized);
SH_LOCAL void sh_context_ends(struct sh_call *c, const void *context, const void *otherwise);
SH_LOCAL void sh_order(struct sh_call *c, int kind, uint64_t context);
SH_LOCAL int sh_waits(struct sh_call *c, struct sh_array word, int compare, uint64_t value, int polls);
SH_LOCAL int sh_must_wait(unsigned long looks);
SH_LOCAL void sh_sees(struct sh_call *c, struct sh_array word);
SH_LOCAL void sh_locking(struct sh_call *c, const volatile long *lock);
SH_LOCAL void sh_locked(struct sh_call *c, const volatile long *lock);
SH_LOCAL void sh_unlocks(struct sh_call *c, const volatile long *lock);
SH_LOCAL void sh_held_at_end(struct sh_call *c);

/* collective.c */
struct sh_collective {
    int kind;
    struct sh_set set;
    int root; /* its number in the set, or -1 */
    struct sh_array target, source, work;
    const long *sync;
    uint64_t sync_words, elements, bytes;
    /* of sh_enter_collective */
    uint64_t key, number;
    int entered;
};
SH_LOCAL void sh_enter_collective(struct sh_call *c, struct sh_collective *k);
SH_LOCAL void sh_leave_collective(struct sh_call *c, struct sh_collective *k);
SH_LOCAL void sh_enter_all(struct sh_call *c, struct sh_collective *k, int kind, uint64_t bytes);

#endif
