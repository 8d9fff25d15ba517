/*
 * Reading and writing files, in the sixteen forms that there are, and the ends of asynchronous ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io.h"

/* An access as the caller describes it. */
struct access {
    const char *function;
    int writing, by_pointer; /* of the file; the others name their places in it */
    upc_flag_t flags;
    /* One of these. */
    void *local;
    const struct upc_local_memvec *locals;
    upcr_ptr shared;
    const struct upc_shared_memvec *shareds;
    size_t block, bytes; /* of local or shared */
    size_t entries;
    const struct upc_filevec *places;
    size_t place_count;
};

static void *memory_for(size_t bytes, const char *function)
{
    void *p = malloc(bytes ? bytes : 1);
    if (!p)
        upcr_fail("thread %d has no memory for %zu bytes in %s", upcr_thread, bytes, function);
    return p;
}

static void *copy_of(const void *from, size_t bytes, const char *function)
{
    void *to = memory_for(bytes, function);
    if (bytes)
        memcpy(to, from, bytes);
    return to;
}

/* With the common file pointer, each thread moves the blocks of the buffer that it owns, which lie side by side. */
static struct upc_filevec *own_blocks(const struct access *a, int64_t position, struct upcr_move *m, size_t *count)
{
    size_t block = a->block ? a->block : a->bytes, threads = (size_t)upcr_threads, first = upcr_threadof(a->shared),
           bytes = a->bytes;
    size_t blocks = block ? (bytes + block - 1) / block : 0, mine = ((size_t)upcr_thread + threads - first) % threads;
    struct upc_filevec *pieces = memory_for((blocks / threads + 1) * sizeof *pieces, a->function);
    *count = 0;
    for (size_t b = mine; b < blocks; b += threads)
        pieces[(*count)++] = (struct upc_filevec){position + (int64_t)(b * block),
                                                  bytes - b * block < block ? bytes - b * block : block};
    m->memory = upcr_mine + upcr_offset(a->shared) + (first + mine) / threads * block;
    return pieces;
}

static size_t total_of(const struct access *a)
{
    size_t total = 0;
    for (size_t i = 0; i < a->entries; i++)
        total += a->locals ? a->locals[i].len : a->shareds[i].len;
    return total;
}

/* All others go through memory of the thread's own, unless they are about one piece of that anyway. */
static struct upc_filevec *pieces_of(const struct access *a, int64_t position, struct upcr_move *m, size_t *count)
{
    if (a->by_pointer) {
        *count = 1;
        m->bytes = a->bytes;
        const struct upc_filevec piece = {position, a->bytes};
        const struct upc_shared_memvec buffer = {a->shared, a->block, a->bytes};
        m->memory = a->local;
        if (!a->local) {
            m->shared = copy_of(&buffer, sizeof buffer, a->function);
            m->entries = 1;
            m->temporary = 1;
        }
        return copy_of(&piece, sizeof piece, a->function);
    }
    *count = a->place_count;
    m->bytes = total_of(a);
    m->temporary = 1;
    m->entries = a->entries;
    if (a->locals)
        m->local = copy_of(a->locals, a->entries * sizeof *a->locals, a->function);
    else
        m->shared = copy_of(a->shareds, a->entries * sizeof *a->shareds, a->function);
    return copy_of(a->places, a->place_count * sizeof *a->places, a->function);
}

static int refused(struct upcr_file *f, const struct access *a)
{
    if (f->flags & (a->writing ? UPC_RDONLY : UPC_WRONLY))
        return EBADF;
    /* Threads would all move the same place of the file to private memory, or different data to one place. */
    return a->by_pointer && a->local && (f->flags & UPC_COMMON_FP) ? EINVAL : 0;
}

/* An asynchronous one accesses its memory beside the thread, until it is waited for. */
static void start(struct upcr_file *f, const struct access *a, int beside)
{
    struct upcr_move *m = &f->move;
    size_t count;
    *m = (struct upcr_move){.writing = a->writing, .offset = f->position};
    f->whole = a->by_pointer && !a->local && (f->flags & UPC_COMMON_FP);
    f->by_pointer = a->by_pointer;
    f->move_flags = a->flags;
    struct upc_filevec *pieces =
        f->whole ? own_blocks(a, f->position, m, &count) : pieces_of(a, f->position, m, &count);
    if (a->writing && f->whole)
        for (size_t i = 0; i < count; i++)
            m->bytes += pieces[i].len;
    if (!a->writing) {
        size_t there = upcr_clip(f, pieces, count);
        m->bytes = f->whole || there < m->bytes ? there : m->bytes;
    }
    f->task = beside ? upcr_record_task() : 0;
    upcr_move_note(m);
    if (beside)
        upcr_record_task_begun();
    if (m->temporary) {
        m->memory = memory_for(m->bytes, a->function);
        if (a->writing)
            upcr_collect(m, 0);
    }
    upcr_move_start(f, m, pieces, count);
    free(pieces);
}

static int64_t sum_of_all(int64_t mine)
{
    static struct upcr_part all[UPCR_MAX_THREADS];
    struct upcr_part part = {.there = (uint64_t)mine};
    int64_t sum = 0;
    upcr_parts(&part, all);
    for (int t = 0; t < upcr_threads; t++) {
        int64_t n = (int64_t)all[t].there;
        if (n < 0)
            return -1;
        sum += n;
    }
    return sum;
}

static int64_t finish(struct upcr_file *f)
{
    int64_t bytes = upcr_move_end(&f->move);
    if (f->whole)
        bytes = sum_of_all(bytes);
    if (f->by_pointer && bytes > 0)
        f->position = f->move.offset + bytes;
    f->outstanding = 0;
    upcr_record_join(f->task);
    upcr_leave(f->move_flags);
    return bytes;
}

static int64_t refuse(int why)
{
    errno = why;
    return -1;
}

static int64_t wait_for(struct upcr_file *f)
{
    for (unsigned step = 0; !upcr_move_done(&f->move);)
        upcr_pause(&step);
    return finish(f);
}

static int64_t now(upcr_ptr fd, const struct access *a)
{
    struct upcr_file *f = upcr_file_of(fd, a->function, 1);
    int why = refused(f, a);
    if (why)
        return refuse(why);
    upcr_enter(a->flags);
    start(f, a, 0);
    return wait_for(f);
}

static void later(upcr_ptr fd, const struct access *a)
{
    struct upcr_file *f = upcr_file_of(fd, a->function, 1);
    int why = refused(f, a);
    upcr_enter(a->flags);
    if (why)
        f->move =
            (struct upcr_move){.error = why, .in_memory = MPI_BYTE, .in_file = MPI_BYTE, .request = MPI_REQUEST_NULL};
    else
        start(f, a, 1);
    f->outstanding = 1;
}

int64_t upc_all_fwait_async(upcr_ptr fd);
int64_t upc_all_ftest_async(upcr_ptr fd, int *flag);

static struct upcr_file *outstanding(upcr_ptr fd, const char *function)
{
    struct upcr_file *f = upcr_file_of(fd, function, 0);
    if (!f->outstanding)
        upcr_fail("thread %d calls %s for a file that has no asynchronous operation outstanding; hint: once for each "
                  "operation",
                  upcr_thread, function);
    return f;
}

int64_t upc_all_fwait_async(upcr_ptr fd)
{
    return wait_for(outstanding(fd, "upc_all_fwait_async"));
}

/* The answer is the same on all threads: it is complete when it is on each. */
int64_t upc_all_ftest_async(upcr_ptr fd, int *flag)
{
    struct upcr_file *f = outstanding(fd, "upc_all_ftest_async");
    int64_t not_yet = !upcr_move_done(&f->move);
    *flag = sum_of_all(not_yet) == 0;
    return *flag ? finish(f) : 0;
}

/* ---- The sixteen functions. ---- */

#define LOCAL(NAME, WRITING, RESULT, HOW, RETURN)                                        \
    RESULT NAME(upcr_ptr fd, void *buffer, size_t size, size_t count, upc_flag_t flags); \
    RESULT NAME(upcr_ptr fd, void *buffer, size_t size, size_t count, upc_flag_t flags)  \
    {                                                                                    \
        const struct access a = {.function = #NAME,                                      \
                                 .writing = WRITING,                                     \
                                 .by_pointer = 1,                                        \
                                 .flags = flags,                                         \
                                 .local = buffer ? buffer : (void *)&fd,                 \
                                 .bytes = size * count};                                 \
        RETURN HOW(fd, &a);                                                              \
    }
#define SHARED(NAME, WRITING, RESULT, HOW, RETURN)                                                        \
    RESULT NAME(upcr_ptr fd, upcr_ptr buffer, size_t block, size_t size, size_t count, upc_flag_t flags); \
    RESULT NAME(upcr_ptr fd, upcr_ptr buffer, size_t block, size_t size, size_t count, upc_flag_t flags)  \
    {                                                                                                     \
        const struct access a = {.function = #NAME,                                                       \
                                 .writing = WRITING,                                                      \
                                 .by_pointer = 1,                                                         \
                                 .flags = flags,                                                          \
                                 .shared = buffer,                                                        \
                                 .block = block * size,                                                   \
                                 .bytes = size * count};                                                  \
        RETURN HOW(fd, &a);                                                                               \
    }
#define LIST(NAME, KIND, VECTORS, WRITING, RESULT, HOW, RETURN)                        \
    RESULT NAME(upcr_ptr fd, size_t entries, const struct KIND *memory, size_t places, \
                const struct upc_filevec *place, upc_flag_t flags);                    \
    RESULT NAME(upcr_ptr fd, size_t entries, const struct KIND *memory, size_t places, \
                const struct upc_filevec *place, upc_flag_t flags)                     \
    {                                                                                  \
        const struct access a = {.function = #NAME,                                    \
                                 .writing = WRITING,                                   \
                                 .flags = flags,                                       \
                                 .VECTORS = memory,                                    \
                                 .entries = entries,                                   \
                                 .places = place,                                      \
                                 .place_count = places};                               \
        RETURN HOW(fd, &a);                                                            \
    }

LOCAL(upc_all_fread_local, 0, int64_t, now, return )
LOCAL(upc_all_fwrite_local, 1, int64_t, now, return )
LOCAL(upc_all_fread_local_async, 0, void, later, )
LOCAL(upc_all_fwrite_local_async, 1, void, later, )
SHARED(upc_all_fread_shared, 0, int64_t, now, return )
SHARED(upc_all_fwrite_shared, 1, int64_t, now, return )
SHARED(upc_all_fread_shared_async, 0, void, later, )
SHARED(upc_all_fwrite_shared_async, 1, void, later, )
LIST(upc_all_fread_list_local, upc_local_memvec, locals, 0, int64_t, now, return )
LIST(upc_all_fwrite_list_local, upc_local_memvec, locals, 1, int64_t, now, return )
LIST(upc_all_fread_list_local_async, upc_local_memvec, locals, 0, void, later, )
LIST(upc_all_fwrite_list_local_async, upc_local_memvec, locals, 1, void, later, )
LIST(upc_all_fread_list_shared, upc_shared_memvec, shareds, 0, int64_t, now, return )
LIST(upc_all_fwrite_list_shared, upc_shared_memvec, shareds, 1, int64_t, now, return )
LIST(upc_all_fread_list_shared_async, upc_shared_memvec, shareds, 0, void, later, )
LIST(upc_all_fwrite_list_shared_async, upc_shared_memvec, shareds, 1, void, later, )
