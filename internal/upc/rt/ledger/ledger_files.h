/* The ledgers of files (ledger_files.upc, ledger_vectors.upc, ledger_parts.upc). */
#ifndef UPCK_FILES_H
#define UPCK_FILES_H
#ifdef __UPC_IO__

#include <upc_io.h>

#include "upck_args.h"

/* A file that the program opened. Files are opened and closed by all threads, so each has the whole ledger. */
struct upck_file {
    struct upck_file *next;
    upc_file_t *fd;
    int flags;                 /* of upc_all_fopen, except for the file pointer's kind */
    int common;                /* the common file pointer is in force */
    int open, pending;         /* pending: an asynchronous operation is not complete */
    int regular, strong;       /* strong: strong consistency is in force, or may be */
    int writing;               /* it was written last, not read */
    unsigned long phase, turn; /* of struct upck_touch; turn is 0 before the first reading or writing */
    long long position;        /* of the individual file pointer; -1: not known */
    unsigned long name;        /* a hash of its whole name */
    char *path;                /* its whole name, or null */
    shared const void *buffer; /* of the pending operation, or null */
    const struct upck_site *opened, *closed, *started;
};

/* A new file, after upc_all_fopen. */
void upck_opened(upc_file_t *fd, const char *name, int flags, const struct upck_site *);
/* What is known of a handle, or 0. */
struct upck_file *upck_file(upc_file_t *fd);
/* UPCK_NEVER, UPCK_FREED_HERE (closed) or UPCK_FINE. */
int upck_bad_file(const struct upck_site *, int arg, upc_file_t *fd);
void upck_closed(upc_file_t *fd, const struct upck_site *);
/* A name that is the same for all names of one file, as far as threads on different nodes can compare that. */
const char *upck_file_name(const char *name);
/* Whether such a file is open. */
int upck_is_open(const char *name);
/* By stdio or open of this process; -1 if that cannot be known. */
int upck_is_open_otherwise(const char *name);
/* The end of an operation that may have been asynchronous. moved is its result. */
void upck_started(upc_file_t *fd, shared const void *buffer, const struct upck_site *);
void upck_completed(upc_file_t *fd);
void upck_moved(upc_file_t *fd, upc_off_t moved);
/* How many of nmemb elements a read gets: fewer at the end of the file; 0 where it is not known how much there is. */
size_t upck_to_read(const struct upck_file *, size_t nmemb, size_t size);
/*
 * Tells, as the row id, of a read whose result shows that it left its buffer, unless upck_to_read could say so before.
 */
void upck_was_read(const struct upck_site *, const char *id, upc_file_t *fd, shared const void *buffer, size_t block,
                   size_t size, upc_off_t result);
void upck_sought(upc_file_t *fd, upc_off_t position);
/* After what makes all that was written before visible to all threads. */
void upck_synced(upc_file_t *fd);
/* Before a reading or writing: of so many bytes from the file pointer on, or of places. */
void upck_touch_here(const struct upck_site *, struct upck_file *, int writing, size_t bytes);
void upck_touch_places(const struct upck_site *, struct upck_file *, int writing, size_t n, const struct upc_filevec *);
void upck_controlled(upc_file_t *fd, int cmd, int result);
/* A call of upc_all_fcntl or upc_all_fclose ends what an earlier one has given; and such a call has given a pointer. */
void upck_ends_given(upc_file_t *fd, const struct upck_site *);
void upck_gives(upc_file_t *fd, int cmd, void *arg, int result, const struct upck_site *);
/* cmd is a command of upc_all_fcntl. */
int upck_command(int cmd);
/* The position after a seek is below 0; or above all numbers. */
int upck_seeks_below(upc_file_t *fd, upc_off_t offset, int origin);
int upck_seeks_above(upc_file_t *fd, upc_off_t offset, int origin);

/* Hints. */
int upck_null_hint(size_t n, const struct upc_hint *hints);
int upck_hints_readable(size_t n, const struct upc_hint *hints);
struct upck_value upck_hints(int arg, size_t n, const struct upc_hint *hints);
int upck_malformed_hint(size_t n, const struct upc_hint *hints);

/* Vectors (ledger_vectors.upc): the first entry for which something is so gives the reason. */
int upck_vector_unreadable(const void *vec, size_t entries, size_t size);
int upck_local_null(size_t n, const struct upc_local_memvec *v);
int upck_local_leaves(size_t n, const struct upc_local_memvec *v, int written);
int upck_local_overlap(size_t n, const struct upc_local_memvec *v);
int upck_shared_null(size_t n, const struct upc_shared_memvec *v);
int upck_shared_leaves(const struct upck_site *, size_t n, const struct upc_shared_memvec *v);
int upck_shared_overlap(size_t n, const struct upc_shared_memvec *v);
int upck_shared_dead(const struct upck_site *, size_t n, const struct upc_shared_memvec *v);
int upck_shared_other_block(const struct upck_site *, size_t n, const struct upc_shared_memvec *v);
int upck_places_negative(size_t n, const struct upc_filevec *v);
int upck_places_decrease(size_t n, const struct upc_filevec *v);
int upck_places_overlap(size_t n, const struct upc_filevec *v);
int upck_local_total(size_t n, const struct upc_local_memvec *v, size_t places, const struct upc_filevec *file);
int upck_shared_total(size_t n, const struct upc_shared_memvec *v, size_t places, const struct upc_filevec *file);

#endif
#endif
