/*
 * Data of threads on other nodes, by passive-target RMA, or by messages if there is no window. Puts are under way until
 * upcr_flush, or until this thread reaches for the same bytes: so it sees its own writes, and two of them to one place
 * keep their order. Must not be used on words that others change by words.c at the time.
 */
#include <string.h>

#include "ask.h"
#include "remote.h"

enum { SMALL = 64, UNDER_WAY = 32 };

/* Puts that are not known to be complete. Small ones have their data here, so that the caller may go on. */
static struct put {
    upcr_ptr place;
    unsigned long bytes;
    char data[SMALL];
} puts[UNDER_WAY];
static int under_way;

_Thread_local upcr_ptr upcr_wanted;

/* The part of a segment that has these bytes, or NULL. */
static const struct upcr_extent *extent_of(unsigned long offset, unsigned long bytes)
{
    for (const struct upcr_extent *e = upcr_extents; e < upcr_extents + UPCR_PARTS; e++)
        if (offset >= e->start && offset <= e->end && bytes <= e->end - offset)
            return e;
    return NULL;
}

static MPI_Aint displacement(upcr_ptr p)
{
    const struct upcr_extent *e = extent_of(upcr_offset(p), 0);
    return (MPI_Aint)(upcr_offset(p) - e->start + e->file);
}

/* MPI would say something else, or nothing. */
static void check_place(upcr_ptr p, unsigned long bytes)
{
    if (upcr_threadof(p) >= (unsigned long)upcr_threads || !extent_of(upcr_offset(p), bytes))
        upcr_wrong_place(upcr_threadof(p), upcr_offset(p));
}

/* One target at a time. MPI_Win_flush_all of MPICH over UCX returns while puts still wait in this process for room
   in the queue of a target that is busy; their data would be overwritten here before they are sent. */
void upcr_complete_puts_to(int thread)
{
    if (upcr_window == MPI_WIN_NULL)
        return;
    upcr_in_mpi++;
    MPI_Win_flush(thread, upcr_window);
    upcr_in_mpi--;
}

/* No put before puts[n] goes to this thread. */
static int is_first_to(unsigned long thread, int n)
{
    for (int i = 0; i < n; i++)
        if (upcr_threadof(puts[i].place) == thread)
            return 0;
    return 1;
}

void upcr_complete_puts(void)
{
    for (int i = 0; i < under_way; i++) {
        unsigned long thread = upcr_threadof(puts[i].place);
        if (is_first_to(thread, i))
            upcr_complete_puts_to((int)thread);
    }
    under_way = 0;
}

/* Places of different threads differ in high bits and never overlap. */
void upcr_keep_order(upcr_ptr p, unsigned long bytes)
{
    check_place(p, bytes);
    upcr_ptr place = upcr_resetphase(p);
    for (int i = 0; i < under_way; i++)
        if (place < puts[i].place + puts[i].bytes && puts[i].place < place + bytes) {
            upcr_complete_puts();
            return;
        }
}

MPI_Request upcr_start(int put, void *memory, upcr_ptr p, unsigned long bytes)
{
    MPI_Request request = MPI_REQUEST_NULL;
    int thread = (int)upcr_threadof(p), n = (int)bytes;
    if (upcr_window == MPI_WIN_NULL) {
        if (put)
            upcr_message_put(p, memory, bytes);
        else
            upcr_message_get(memory, p, bytes);
        return request;
    }
    upcr_in_mpi++;
    if (put)
        MPI_Rput(memory, n, MPI_BYTE, thread, displacement(p), n, MPI_BYTE, upcr_window, &request);
    else
        MPI_Rget(memory, n, MPI_BYTE, thread, displacement(p), n, MPI_BYTE, upcr_window, &request);
    upcr_in_mpi--;
    return request;
}

static void get_piece(void *to, upcr_ptr from, unsigned long bytes)
{
    MPI_Request request = upcr_start(0, to, from, bytes);
    upcr_complete(&request);
}

static void put_piece(upcr_ptr to, const void *from, unsigned long bytes)
{
    if (under_way == UNDER_WAY)
        upcr_complete_puts();
    struct put *put = &puts[under_way++];
    put->place = upcr_resetphase(to);
    put->bytes = bytes;
    if (bytes > SMALL || upcr_window == MPI_WIN_NULL) {
        MPI_Request request = upcr_start(1, (void *)(uintptr_t)from, to, bytes);
        upcr_complete(&request);
        return;
    }
    memcpy(put->data, from, bytes);
    upcr_in_mpi++;
    MPI_Put(put->data, (int)bytes, MPI_BYTE, (int)upcr_threadof(to), displacement(to), (int)bytes, MPI_BYTE,
            upcr_window);
    upcr_in_mpi--;
}

static unsigned long piece(unsigned long left)
{
    return left < UPCR_PIECE ? left : UPCR_PIECE;
}

void upcr_get(void *to, upcr_ptr from, unsigned long bytes)
{
    if (upcr_here(from)) {
        memmove(to, upcr_at(from), bytes);
        return;
    }
    upcr_keep_order(from, bytes);
    for (unsigned long done = 0; done < bytes; done += UPCR_PIECE)
        get_piece((char *)to + done, from + done, piece(bytes - done));
}

void upcr_put(upcr_ptr to, const void *from, unsigned long bytes)
{
    if (upcr_here(to)) {
        memmove(upcr_at(to), from, bytes);
        return;
    }
    upcr_keep_order(to, bytes);
    for (unsigned long done = 0; done < bytes; done += UPCR_PIECE)
        put_piece(to + done, (const char *)from + done, piece(bytes - done));
}

void upcr_copy(upcr_ptr to, upcr_ptr from, unsigned long bytes)
{
    if (upcr_here(from)) {
        upcr_put(to, upcr_at(from), bytes);
        return;
    }
    if (upcr_here(to)) {
        upcr_get(upcr_at(to), from, bytes);
        return;
    }
    char through[16384];
    for (unsigned long done = 0; done < bytes; done += sizeof through) {
        unsigned long n = bytes - done < sizeof through ? bytes - done : sizeof through;
        upcr_get(through, from + done, n);
        upcr_put(to + done, through, n);
    }
}

void upcr_flush(void)
{
    if (under_way)
        upcr_complete_puts();
    if (upcr_window == MPI_WIN_NULL)
        return;
    upcr_in_mpi++;
    MPI_Win_sync(upcr_window);
    upcr_in_mpi--;
}
