/*
 * Files of upc_io.h (UPC 1.3 optional libraries, 7.9), for the io_*.c files.
 */
#ifndef UPCR_IO_H
#define UPCR_IO_H

#include "rt.h"
#include "upc_io.h"

struct upc_shared_memvec { /* as lowered code has it */
    upcr_ptr baseaddr;
    size_t blocksize;
    size_t len;
};

/* A reading or writing under way: a piece of private or own memory against pieces of the file. */
struct upcr_move {
    int writing;
    char *memory;
    size_t bytes;
    int64_t offset; /* of the whole, for the file pointer */
    MPI_Datatype in_memory, in_file;
    MPI_Request request;
    int error; /* an MPI error, or 0 */
    /* What becomes of the data of a reading afterwards; temporary says that memory is freed. */
    struct upc_shared_memvec *shared;
    struct upc_local_memvec *local;
    size_t entries;
    int temporary;
};

struct upcr_file {
    MPI_File mpi;
    char *name;
    int flags;
    int64_t position;
    struct upc_hint *hints;
    size_t hint_count;
    /* The asynchronous operation, if one is outstanding. */
    int outstanding;
    struct upcr_move move;
    upc_flag_t move_flags;
    uint64_t task; /* as which it is recorded, or 0 */
    int whole;     /* its result is that of all threads together; it moves the file pointer */
    int by_pointer;
};

#pragma GCC visibility push(hidden)
/*
 * The file of a handle. Ends the job if it is not a file, or if an asynchronous operation is outstanding although
 * `idle` says that none may be.
 */
struct upcr_file *upcr_file_of(upcr_ptr fd, const char *function, int idle);
/* The errno for an error of MPI; 0 for success. */
int upcr_errno(int mpi_error);
/* Sets errno if there is an error on any thread, and gives -1; else 0. Collective. */
int upcr_all_fine(int error);
/* Keeps a copy of a hint; a later one with the same key takes its place. */
void upcr_keep_hint(struct upcr_file *f, const struct upc_hint *hint);
MPI_Info upcr_hint_info(const struct upcr_file *f);

/* Cuts pieces of the file off where it ends; gives what is left of the bytes. */
size_t upcr_clip(struct upcr_file *f, struct upc_filevec *pieces, size_t count);
/* Copies between memory and what it stands for: out of it, or into it. */
void upcr_collect(struct upcr_move *m, int out);
/* Notes the accesses to memory of a reading or writing, for the detection of data races. */
void upcr_move_note(const struct upcr_move *m);
/* Starts a reading or writing; all threads do it together. */
void upcr_move_start(struct upcr_file *f, struct upcr_move *m, const struct upc_filevec *pieces, size_t count);
/* Whether it is complete; then upcr_move_end gives the bytes, or -1 and errno. */
int upcr_move_done(struct upcr_move *m);
int64_t upcr_move_end(struct upcr_move *m);
#pragma GCC visibility pop

#endif
