/* What the ledgers of shared objects have in common (ledger_objects.upc, ledger_extent.upc). */
#ifndef UPCK_OBJECTS_H
#define UPCK_OBJECTS_H

#include "upck_args.h"

/* Objects that a thread knows at a time: 72 KiB. */
enum { UPCK_ENTRIES = 1024 };

enum { UPCK_LIVE, UPCK_FREED, UPCK_FREED_TOGETHER };

struct upck_entry {
    unsigned long base;  /* upc_addrfield of its start */
    unsigned long bytes; /* of all of it */
    unsigned long block; /* bytes of a block, if it is spread */
    unsigned long freed_at;
    unsigned long serial; /* which of the owner's allocations it was */
    int owner;            /* -1: all threads at a time */
    short home;           /* the thread that has all of it; -1: blocks from thread 0 on */
    unsigned char how, state;
    int line, freed_line;
    const char *file, *freed_file; /* in the memory of the ledger's thread */
};

/* All threads see an object that is spread at one address. */
int upck_symmetric(void);
/* The bytes of an object that a thread has. */
unsigned long upck_part(const struct upck_entry *, unsigned long thread);
/* What this thread knows of the object that p points into, or 0. */
const struct upck_entry *upck_known(shared const void *p);
/* Nothing that the other threads know speaks against what this one knows of the object that p points into. */
int upck_confirm(shared const void *p, const struct upck_entry *mine);
/* The object that is alive where an argument points to, for sure, and that this thread or the source knows. */
int upck_points_into(const struct upck_site *site, int arg, shared const void *p, struct upck_entry *to);
/* Another thread knows an object that is alive there, and nothing that all know speaks against it. */
int upck_alive(shared const void *p);
/* A place that this thread's ledger has nothing of: in memory for objects, and in none, for sure. The reason is set. */
enum upck_stray { UPCK_NOT_STRAY, UPCK_BEYOND, UPCK_BEFORE, UPCK_GONE };
int upck_stray(shared const void *p);

/* The element that a pointer to blocks of block elements of element bytes points to, of the object that before
   points into, is none of it, and is not at its end: UPCK_BEYOND or UPCK_BEFORE. */
int upck_walks_out(const struct upck_site *, int arg, shared const void *before, shared const void *after,
                   unsigned long block, unsigned long element);

/* What the source tells of an argument, or 0. */
static inline const struct upck_shape *upck_shape(const struct upck_site *site, int arg)
{
    return site->shapes && arg < site->nargs ? &site->shapes[arg] : 0;
}

#endif
