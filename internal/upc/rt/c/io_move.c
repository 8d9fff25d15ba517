/*
 * One reading or writing of all threads together: each has a piece of memory and pieces of the file, whose offsets do
 * not decrease, and MPI's collective file access does the rest. How much there is to read is settled before, from the
 * size of the file: the counts that MPI libraries give for collective readings at the end of a file cannot be relied
 * on.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"

enum { PIECE = 1 << 30 };

size_t upcr_clip(struct upcr_file *f, struct upc_filevec *pieces, size_t count)
{
    MPI_Offset size = 0;
    size_t bytes = 0;
    upcr_in_mpi++;
    MPI_File_get_size(f->mpi, &size);
    upcr_in_mpi--;
    for (size_t i = 0; i < count; i++) {
        size_t room = pieces[i].offset < size ? (size_t)(size - pieces[i].offset) : 0;
        if (pieces[i].len > room)
            pieces[i].len = room;
        bytes += pieces[i].len;
    }
    return bytes;
}

static MPI_Datatype indexed(const struct upc_filevec *pieces, size_t count)
{
    size_t n = 0, k = 0;
    for (size_t i = 0; i < count; i++)
        n += (pieces[i].len + PIECE - 1) / PIECE;
    int *lengths = calloc(n + 1, sizeof *lengths);
    MPI_Aint *offsets = calloc(n + 1, sizeof *offsets);
    for (size_t i = 0; i < count; i++)
        for (size_t done = 0; done < pieces[i].len; done += PIECE, k++) {
            lengths[k] = pieces[i].len - done < PIECE ? (int)(pieces[i].len - done) : PIECE;
            offsets[k] = (MPI_Aint)pieces[i].offset + (MPI_Aint)done;
        }
    MPI_Datatype type;
    MPI_Type_create_hindexed((int)k, lengths, offsets, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    free(lengths);
    free(offsets);
    return type;
}

static int read_all(MPI_File file, const void *memory, int n, MPI_Datatype type)
{
    return MPI_File_read_all(file, (void *)(uintptr_t)memory, n, type, MPI_STATUS_IGNORE);
}

static int write_all(MPI_File file, const void *memory, int n, MPI_Datatype type)
{
    return MPI_File_write_all(file, memory, n, type, MPI_STATUS_IGNORE);
}

void upcr_move_start(struct upcr_file *f, struct upcr_move *m, const struct upc_filevec *pieces, size_t count)
{
    const struct upc_filevec memory = {.len = m->bytes};
    upcr_meet();
    upcr_in_mpi++;
    m->in_memory = m->bytes ? indexed(&memory, 1) : MPI_BYTE;
    m->in_file = m->bytes ? indexed(pieces, count) : MPI_BYTE;
    m->request = MPI_REQUEST_NULL;
    m->error = upcr_errno(MPI_File_set_view(f->mpi, 0, MPI_BYTE, m->in_file, "native", MPI_INFO_NULL));
    int n = m->bytes > 0, error;
    if (f->flags & UPC_STRONG_CA) /* MPI libraries have no non-blocking accesses in atomic mode */
        error = (m->writing ? write_all : read_all)(f->mpi, m->memory, n, m->in_memory);
    else
        error = m->writing ? MPI_File_iwrite_all(f->mpi, m->memory, n, m->in_memory, &m->request)
                           : MPI_File_iread_all(f->mpi, m->memory, n, m->in_memory, &m->request);
    upcr_in_mpi--;
    if (!m->error)
        m->error = upcr_errno(error);
}

int upcr_move_done(struct upcr_move *m)
{
    int done = 1;
    upcr_in_mpi++;
    int error = m->request == MPI_REQUEST_NULL ? MPI_SUCCESS : MPI_Test(&m->request, &done, MPI_STATUS_IGNORE);
    upcr_in_mpi--;
    if (!m->error)
        m->error = upcr_errno(error);
    return done || m->error;
}

/* What is done with the pieces of a shared region. */
enum what { FILL, TAKE, NOTE_FILLED, NOTE_TAKEN };

static void do_with(enum what what, upcr_ptr p, char *memory, size_t n)
{
    switch (what) {
    case FILL:
        upcr_put(p, memory, n);
        break;
    case TAKE:
        upcr_get(memory, p, n);
        break;
    case NOTE_FILLED:
        upcr_record_write(p, n);
        break;
    case NOTE_TAKEN:
        upcr_record_read(p, n);
    }
}

/*
 * Each byte k of a shared region is in block k / blocksize; these go round the threads, beginning with that of its
 * base.
 */
static void spread(const struct upc_shared_memvec *v, char *memory, size_t bytes, enum what what)
{
    size_t block = v->blocksize ? v->blocksize : bytes, first = upcr_threadof(v->baseaddr);
    for (size_t k = 0; k < bytes; k += block) {
        size_t thread = first + k / block, n = bytes - k < block ? bytes - k : block;
        upcr_ptr p = upcr_make(thread % (size_t)upcr_threads, 0,
                               upcr_offset(v->baseaddr) + thread / (size_t)upcr_threads * block);
        do_with(what, p, memory ? memory + k : NULL, n);
    }
}

void upcr_collect(struct upcr_move *m, int out)
{
    char *at = m->memory;
    size_t left = m->bytes;
    for (size_t i = 0; i < m->entries && left; i++) {
        size_t len = m->shared ? m->shared[i].len : m->local[i].len, n = len < left ? len : left;
        if (m->shared)
            spread(&m->shared[i], at, n, out ? FILL : TAKE);
        else if (out)
            memcpy(m->local[i].baseaddr, at, n);
        else
            memcpy(at, m->local[i].baseaddr, n);
        at += n;
        left -= n;
    }
}

static void note_near(const struct upcr_move *m, const void *p, size_t n)
{
    if (m->writing)
        upcr_record_near_read(p, n);
    else
        upcr_record_near_write(p, n);
}

void upcr_move_note(const struct upcr_move *m)
{
    if (!m->temporary)
        note_near(m, m->memory, m->bytes);
    size_t left = m->bytes;
    for (size_t i = 0; upcr_recording && i < m->entries && left; i++) {
        size_t len = m->shared ? m->shared[i].len : m->local[i].len, n = len < left ? len : left;
        if (m->shared)
            spread(&m->shared[i], NULL, n, m->writing ? NOTE_TAKEN : NOTE_FILLED);
        else
            note_near(m, m->local[i].baseaddr, n);
        left -= n;
    }
}

int64_t upcr_move_end(struct upcr_move *m)
{
    if (m->in_memory != MPI_BYTE)
        MPI_Type_free(&m->in_memory);
    if (m->in_file != MPI_BYTE)
        MPI_Type_free(&m->in_file);
    if (!m->error && !m->writing)
        upcr_collect(m, 1);
    if (m->temporary)
        free(m->memory);
    free(m->shared);
    free(m->local);
    if (m->error) {
        errno = m->error;
        return -1;
    }
    return (int64_t)m->bytes;
}
