/*
 * upc_nb.h (UPC 1.3 optional libraries): transfers that go on while the program does. On one node they are complete at
 * once; with other nodes they are requests of MPI, and a put also needs its target to have it before it counts as
 * complete.
 */
#include <stdlib.h>

#include "remote.h"

typedef struct upcr_transfer *upc_handle_t;
upc_handle_t upc_memcpy_nb(upcr_ptr dst, upcr_ptr src, size_t n);
upc_handle_t upc_memget_nb(void *dst, upcr_ptr src, size_t n);
upc_handle_t upc_memput_nb(upcr_ptr dst, const void *src, size_t n);
upc_handle_t upc_memset_nb(upcr_ptr dst, int c, size_t n);
int upc_sync_attempt(upc_handle_t handle);
void upc_sync(upc_handle_t handle);
void upc_memcpy_nbi(upcr_ptr dst, upcr_ptr src, size_t n);
void upc_memget_nbi(void *dst, upcr_ptr src, size_t n);
void upc_memput_nbi(upcr_ptr dst, const void *src, size_t n);
void upc_memset_nbi(upcr_ptr dst, int c, size_t n);
int upc_synci_attempt(void);
void upc_synci(void);
void upc_memset(upcr_ptr to, int c, size_t bytes);

struct upcr_transfer {
    struct upcr_transfer *next; /* of implicit ones */
    uint64_t task;              /* as which it is recorded, or 0 */
    int put, thread, pieces;
    MPI_Request requests[];
};

static struct upcr_transfer *implicit;

static upc_handle_t start(int put, void *memory, upcr_ptr p, size_t n)
{
    int pieces = (int)((n + UPCR_PIECE - 1) / UPCR_PIECE);
    struct upcr_transfer *t = malloc(sizeof *t + (size_t)pieces * sizeof *t->requests);
    if (!t)
        upcr_fail("thread %d has no memory for a transfer of %zu bytes", upcr_thread, n);
    *t = (struct upcr_transfer){.put = put, .thread = (int)upcr_threadof(p), .pieces = pieces};
    upcr_keep_order(p, n);
    for (int i = 0; i < pieces; i++) {
        size_t done = (size_t)i * UPCR_PIECE, length = n - done < UPCR_PIECE ? n - done : UPCR_PIECE;
        t->requests[i] = upcr_start(put, (char *)memory + done, p + done, length);
    }
    return t;
}

static upc_handle_t get(void *dst, upcr_ptr src, size_t n)
{
    if (!upcr_here(src))
        return start(0, dst, src, n);
    upcr_get(dst, src, n);
    return NULL;
}

static upc_handle_t put(upcr_ptr dst, const void *src, size_t n)
{
    if (!upcr_here(dst))
        return start(1, (void *)(uintptr_t)src, dst, n);
    upcr_put(dst, src, n);
    return NULL;
}

static upc_handle_t copy(upcr_ptr dst, upcr_ptr src, size_t n)
{
    if (upcr_here(src))
        return put(dst, upcr_at(src), n);
    if (upcr_here(dst))
        return get(upcr_at(dst), src, n);
    upcr_copy(dst, src, n);
    return NULL;
}

/*
 * A transfer whose accesses are recorded as a task has a handle even if it is complete, so that it is seen what the
 * program takes for its end.
 */
static upc_handle_t as_task(upc_handle_t t, uint64_t task)
{
    upcr_record_task_begun();
    if (task && !t && (t = malloc(sizeof *t)))
        *t = (struct upcr_transfer){0};
    if (t)
        t->task = task;
    return t;
}

upc_handle_t upc_memget_nb(void *dst, upcr_ptr src, size_t n)
{
    uint64_t task = upcr_record_task();
    upcr_record_read(src, n);
    upcr_record_near_write(dst, n);
    return as_task(get(dst, src, n), task);
}

upc_handle_t upc_memput_nb(upcr_ptr dst, const void *src, size_t n)
{
    uint64_t task = upcr_record_task();
    upcr_record_near_read(src, n);
    upcr_record_write(dst, n);
    return as_task(put(dst, src, n), task);
}

upc_handle_t upc_memcpy_nb(upcr_ptr dst, upcr_ptr src, size_t n)
{
    uint64_t task = upcr_record_task();
    upcr_record_read(src, n);
    upcr_record_write(dst, n);
    return as_task(copy(dst, src, n), task);
}

upc_handle_t upc_memset_nb(upcr_ptr dst, int c, size_t n)
{
    uint64_t task = upcr_record_task();
    upc_memset(dst, c, n);
    return as_task(NULL, task);
}

static void finish(upc_handle_t t)
{
    for (int i = 0; i < t->pieces; i++)
        upcr_complete(&t->requests[i]);
    if (t->put)
        upcr_complete_puts_to(t->thread);
    upcr_record_join(t->task);
    free(t);
}

static int arrived(upc_handle_t t)
{
    int all = 1;
    upcr_in_mpi++;
    for (int i = 0, done; i < t->pieces; i++, all &= done)
        MPI_Test(&t->requests[i], &done, MPI_STATUS_IGNORE);
    upcr_in_mpi--;
    upcr_progress();
    return all;
}

void upc_sync(upc_handle_t handle)
{
    if (handle)
        finish(handle);
}

int upc_sync_attempt(upc_handle_t handle)
{
    if (handle && !arrived(handle))
        return 0;
    upc_sync(handle);
    return 1;
}

static void add(upc_handle_t t)
{
    if (t) {
        t->next = implicit;
        implicit = t;
    }
}

void upc_memcpy_nbi(upcr_ptr dst, upcr_ptr src, size_t n)
{
    add(upc_memcpy_nb(dst, src, n));
}

void upc_memget_nbi(void *dst, upcr_ptr src, size_t n)
{
    add(upc_memget_nb(dst, src, n));
}

void upc_memput_nbi(upcr_ptr dst, const void *src, size_t n)
{
    add(upc_memput_nb(dst, src, n));
}

void upc_memset_nbi(upcr_ptr dst, int c, size_t n)
{
    add(upc_memset_nb(dst, c, n));
}

void upc_synci(void)
{
    while (implicit) {
        upc_handle_t t = implicit;
        implicit = t->next;
        finish(t);
    }
}

int upc_synci_attempt(void)
{
    for (upc_handle_t t = implicit; t; t = t->next)
        if (!arrived(t))
            return 0;
    upc_synci();
    return 1;
}
