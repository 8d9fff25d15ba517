/*
 * The start of a thread: who is where, the segments, the window for other nodes. Nothing of it may be called by lowered
 * code, and nothing of the rest of the run-time may be used before upcr_set_up has ended.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rt.h"
#include "segment.h"

_Static_assert((int)UPCR_STATE_THREADS == UPCR_MAX_THREADS && (int)UPCR_STATE_SHIFT == UPCR_OFFSET_BITS,
               "state.h agrees");

#pragma GCC visibility push(hidden)
MPI_Comm upcr_comm;
MPI_Win upcr_window;
struct upcr_control *upcr_self, *upcr_leader;
int upcr_cores, upcr_node_count;
unsigned long upcr_heap_low, upcr_heap_high;
struct upcr_extent upcr_extents[UPCR_PARTS];
char *upcr_whole;

extern const int __start_upcr_static[], __stop_upcr_static[];
extern void (*__start_upcr_start[])(void), (*__stop_upcr_start[])(void);
extern char __start_upcr_shared[], __stop_upcr_shared[], __start_upcr_hidden[], __stop_upcr_hidden[];
#pragma GCC visibility pop

/* In memory, since code cannot name addresses of more than 2 GiB away. */
static char *volatile const shared_bounds[] = {__start_upcr_shared, __stop_upcr_shared, __start_upcr_hidden,
                                               __stop_upcr_hidden};

enum { DEFAULT_HEAP_MB = 256 };
static const char heap_variable[] = "UPC_SHARED_HEAP_SIZE", node_variable[] = "UPC_NODE_THREADS",
                  window_variable[] = "UPC_WINDOWS";

/* Ends a job that cannot start: thread 0 says why, and all leave. */
#define REFUSE(rank, ...)          \
    do {                           \
        if ((rank) == 0)           \
            upcr_say(__VA_ARGS__); \
        MPI_Finalize();            \
        _exit(1);                  \
    } while (0)

/* Programs that were compiled for a number of threads run with that number (UPC 1.3, 6.3.1). */
static void check_threads(int rank, int threads)
{
    if (threads > UPCR_MAX_THREADS)
        REFUSE(rank, "%d threads are too many: pointers-to-shared have room for %d; hint: start the program with fewer",
               threads, UPCR_MAX_THREADS);
    for (const int *n = __start_upcr_static; n < __stop_upcr_static; n++)
        if (*n && *n != threads)
            REFUSE(
                rank,
                "the program was compiled for %d threads and started with %d; hint: start it with -n %d, or compile it "
                "without -T",
                *n, threads, *n);
}

/* What thread 0's environment says holds for all: launchers do not always pass variables on. */
static void read_environment(int rank, unsigned long *heap, int *together, int *windows, unsigned long *job)
{
    unsigned long given[4] = {(unsigned long)DEFAULT_HEAP_MB << 20, 0, 1, (unsigned long)getpid()};
    const char *text = getenv(heap_variable);
    if (rank == 0 && text && *text)
        given[0] = upcr_parse_size(text);
    const char *count = getenv(node_variable);
    if (rank == 0 && count)
        given[1] = strtoul(count, NULL, 10);
    const char *wanted = getenv(window_variable);
    if (rank == 0 && wanted)
        given[2] = strcmp(wanted, "0") != 0;
    MPI_Bcast(given, 4, MPI_UNSIGNED_LONG, 0, upcr_comm);
    if (given[0] == 0)
        REFUSE(rank, "%s is %s, which is no size; hint: write it as 512M or 2G", heap_variable, text);
    *heap = given[0];
    *together = given[1] > UPCR_MAX_THREADS ? 0 : (int)given[1];
    *windows = (int)given[2];
    *job = given[3];
}

/* Finds out who shares my node's memory. */
static void find_node(struct upcr_state *s, int together)
{
    MPI_Comm node;
    int first = s->thread;
    static int firsts[UPCR_MAX_THREADS];
    MPI_Comm_split_type(upcr_comm, MPI_COMM_TYPE_SHARED, s->thread, MPI_INFO_NULL, &node);
    if (together > 0) {
        MPI_Comm part;
        MPI_Comm_split(node, s->thread / together, s->thread, &part);
        MPI_Comm_free(&node);
        node = part;
    }
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    MPI_Comm_free(&node);
    MPI_Allgather(&first, 1, MPI_INT, firsts, 1, MPI_INT, upcr_comm);
    s->one_node = 1;
    upcr_node_count = 0;
    for (int t = 0; t < s->threads; t++) {
        s->near[t] = firsts[t] == first;
        upcr_node_count += s->near[t];
        s->one_node &= firsts[t] == firsts[0];
    }
}

/* Counts the processors that the threads of my node may use together. */
static int count_cores(void)
{
    cpu_set_t mine;
    static cpu_set_t all[UPCR_MAX_THREADS];
    CPU_ZERO(&mine);
    sched_getaffinity(0, sizeof mine, &mine);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, upcr_comm);
    for (int t = 0; t < upcr_threads; t++)
        if (upcr_near[t])
            CPU_OR(&mine, &mine, &all[t]);
    return CPU_COUNT(&mine);
}

struct upcr_control *upcr_control_of(int thread)
{
    return (struct upcr_control *)(upcr_node + ((unsigned long)thread << UPCR_OFFSET_BITS) + UPCR_CONTROL_OFFSET);
}

static unsigned long whole_pages(unsigned long bytes)
{
    unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) & ~(page - 1);
}

/* The same on all threads. Gives 0 if a segment has no room for it. */
static int divide(unsigned long objects, unsigned long heap)
{
    unsigned long hidden = (unsigned long)(shared_bounds[3] - shared_bounds[2]), file = 0;
    upcr_heap_low = UPCR_STATIC_OFFSET + whole_pages(objects) + UPCR_GUARD;
    upcr_heap_high = upcr_heap_low + whole_pages(heap);
    const unsigned long starts[UPCR_PARTS] = {UPCR_STATIC_OFFSET, upcr_heap_low, UPCR_CONTROL_OFFSET};
    const unsigned long ends[UPCR_PARTS] = {UPCR_STATIC_OFFSET + objects, upcr_heap_high, UPCR_HIDDEN_OFFSET + hidden};
    for (int i = 0; i < UPCR_PARTS; i++) {
        upcr_extents[i] = (struct upcr_extent){starts[i], ends[i], file};
        file += whole_pages(ends[i] - starts[i]);
    }
    return upcr_heap_high + UPCR_GUARD <= UPCR_CONTROL_OFFSET;
}

/* The heap of a thread has its own part at the lower end, and the part that is the same on all threads at the upper. */
static void start_heap(void)
{
    upcr_self->arena.low = upcr_self->arena.high = upcr_heap_low;
    upcr_self->global.low = upcr_self->global.high = upcr_heap_high;
    for (int t = 0; t < upcr_threads; t++)
        upcr_self->local_high[t] = upcr_heap_low;
}

/* My segment, for the threads of other nodes. It is of use if loads and stores of neighbours see what these write
   without calls in between, and if all have one: the Open MPI of Debian has none over TCP. Without, messages do. */
static void make_window(int wanted)
{
    const struct upcr_extent *last = &upcr_extents[UPCR_PARTS - 1];
    int *model, there = 0, fine = 0, all_fine;
    MPI_Comm quiet;
    upcr_window = MPI_WIN_NULL;
    if (upcr_one_node || !wanted)
        return;
    MPI_Comm_dup(upcr_comm, &quiet);
    MPI_Comm_set_errhandler(quiet, MPI_ERRORS_RETURN);
    if (MPI_Win_create(upcr_whole, (MPI_Aint)(last->file + last->end - last->start), 1, MPI_INFO_NULL, quiet,
                       &upcr_window) == MPI_SUCCESS) {
        MPI_Win_get_attr(upcr_window, MPI_WIN_MODEL, &model, &there);
        fine = there && *model == MPI_WIN_UNIFIED;
    }
    MPI_Comm_free(&quiet);
    MPI_Allreduce(&fine, &all_fine, 1, MPI_INT, MPI_MIN, upcr_comm);
    if (all_fine)
        MPI_Win_lock_all(MPI_MODE_NOCHECK, upcr_window);
    else
        upcr_window = MPI_WIN_NULL;
}

void upcr_set_up(void)
{
    struct upcr_state s = {0};
    upcr_hide_prepare();
    MPI_Comm_dup(MPI_COMM_WORLD, &upcr_comm);
    MPI_Comm_rank(upcr_comm, &s.thread);
    MPI_Comm_size(upcr_comm, &s.threads);
    check_threads(s.thread, s.threads);
    unsigned long heap, job;
    int together, windows;
    read_environment(s.thread, &heap, &together, &windows, &job);
    find_node(&s, together);

    unsigned long objects = (unsigned long)(shared_bounds[1] - shared_bounds[0]);
    if (objects > UPCR_SEGMENT || heap > UPCR_SEGMENT || !divide(objects, heap))
        REFUSE(s.thread,
               "static shared objects of %lu bytes and a shared heap of %lu (%s) are more than the %lu bytes that a "
               "thread can "
               "have; hint: make them smaller, or run more threads",
               objects, heap, heap_variable, UPCR_CONTROL_OFFSET - UPCR_STATIC_OFFSET - 2 * UPCR_GUARD);
    s.node = upcr_reserve(s.threads);
    if (!s.node)
        upcr_say("thread %d cannot reserve %lu GiB of addresses for shared memory: %s; hint: ulimit -v unlimited",
                 s.thread, (unsigned long)s.threads << (UPCR_OFFSET_BITS - 30), strerror(errno));
    int fine[3] = {s.node != NULL && upcr_map_segments(&s), upcr_watch_prepare(s.thread, s.threads, job),
                   upcr_record_prepare(s.thread, s.threads, job)};
    int all_fine[3];
    MPI_Allreduce(fine, all_fine, 3, MPI_INT, MPI_MIN, upcr_comm);
    if (!all_fine[0]) {
        MPI_Finalize();
        _exit(1);
    }
    upcr_watched = all_fine[1];
    upcr_state_set(&s);
    upcr_self = upcr_control_of(upcr_thread);
    int first = 0;
    while (!upcr_near[first])
        first++;
    upcr_leader = upcr_control_of(first);
    upcr_cores = count_cores();
    start_heap();
    make_window(windows);
    upcr_end_prepare();
    upcr_fault_prepare();
    MPI_Barrier(upcr_comm);
    for (void (**start)(void) = __start_upcr_start; start < __stop_upcr_start; start++)
        if (*start)
            (*start)();
    upcr_record_begin(all_fine[2]);
}

void upcr_take_down(void)
{
    if (upcr_window != MPI_WIN_NULL) {
        MPI_Win_unlock_all(upcr_window);
        MPI_Win_free(&upcr_window);
    }
    MPI_Comm_free(&upcr_comm);
}
