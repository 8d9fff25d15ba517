/*
 * What the files of the run-time share. Nothing here is for lowered code.
 *
 * The run-time lives in the user's process: it prints nothing but errors, each one line on stderr that begins with
 * "upc: "; it installs no signal handlers but those of end.c and fault.c; it leaves nothing behind in the file system,
 * even if the process is killed.
 */
#ifndef UPCR_RT_H
#define UPCR_RT_H

#include <mpi.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "layout.h" /* from internal/upc/layout */
#include "quiet.h"
#include "state.h"
#include "upcr.h"

#if MPI_VERSION < 3
#error "UPC programs need MPI-3, and this MPI library is older; hint: name another mpicc"
#endif

_Static_assert(UPCR_MAX_BLOCK == 1UL << (64 - UPCR_PLACE_BITS),
               "the phase of a pointer-to-shared has room for UPC_MAX_BLOCK_SIZE");

#pragma GCC visibility push(hidden)

/* ---- The run-time's data in each segment. ---- */

enum { UPCR_LINE = 64 };

/* A lock: the last place in its queue, of struct upcr_queued, or 0 if it is free. */
struct upcr_lock {
    /* Where memory that is free has its links, so that a lock that was freed is known for a while. */
    uint64_t unused[2];
    _Atomic uint64_t tail;
};

/* A thread's place in the queue of a lock. */
struct upcr_queued {
    _Atomic uint64_t next;
    _Atomic uint64_t granted; /* see lock.c */
    _Atomic uint64_t lock;    /* whose queue it is in; 0 when that has been freed */
    char pad[UPCR_LINE - 24];
};
enum { UPCR_QUEUED = 128 };

/* An arena: memory between low and high that is cut into blocks (arena.c). */
enum { UPCR_BINS = 34 };
struct upcr_arena {
    uint64_t low, high;       /* offsets; equal as long as there is nothing */
    uint64_t free[UPCR_BINS]; /* the first free block of each bin: its offset */
};

/* One phase of the barrier: the value that the first upc_notify with one gave, see barrier.c. */
struct upcr_phase {
    _Atomic uint64_t consensus;
    char pad[UPCR_LINE - 8];
};

enum { UPCR_SITE = 104 };

struct upcr_control {
    /* Written by the owner before others look. */
    uint64_t token;
    int pid;
    /* The thread's end: it has come to the barrier at the end of the program. */
    _Atomic uint32_t ended;
    /* What the thread brings to a reduction, see collect.c. */
    struct upcr_part {
        char value[16];
        uint64_t there;
        uint64_t pad;
    } part[2];
    /* Where the thread gave its value to the current and to the last phase of the barrier. */
    char site[2][UPCR_SITE];
    /* The thread's own heap (upc_alloc), and where it ends; guarded by lock. */
    _Alignas(UPCR_LINE) struct upcr_lock lock;
    struct upcr_arena arena;
    /* The rest is used in the segment of the first thread of a node. */
    _Alignas(UPCR_LINE) _Atomic uint32_t arrived; /* low half: in a barrier of the program; high half: at its end */
    _Alignas(UPCR_LINE) _Atomic uint32_t generation;
    _Atomic uint32_t sleepers;
    struct upcr_phase phase[2];
    _Alignas(UPCR_LINE) uint64_t sent[2]; /* by thread 0 to all, see upcr_tell */
    /* The status with which upc_global_exit ends the job, plus 1 << 16; 0 before. */
    _Alignas(UPCR_LINE) _Atomic uint32_t ending;
    _Atomic uint32_t flushed; /* threads that have written out what they print */

    /* The rest is used in the segment of thread 0. */
    _Alignas(UPCR_LINE) struct upcr_lock global_lock; /* of the global arena and of the breaks */
    struct upcr_arena global;
    uint64_t local_high[UPCR_MAX_THREADS]; /* the end of each thread's own heap */

    _Alignas(UPCR_LINE) struct upcr_lock gate; /* see upcr_gate */

    _Alignas(UPCR_LINE) _Atomic uint64_t tickets; /* see races.c */

    _Alignas(UPCR_LINE) struct upcr_queued queued[UPCR_QUEUED];
};
_Static_assert(sizeof(struct upcr_control) <= UPCR_HIDDEN_OFFSET - UPCR_CONTROL_OFFSET,
               "the control data ends before hidden objects");

/* The parts of a segment that have memory, in the order in which they are in the segment's file. */
enum { UPCR_PART_STATIC, UPCR_PART_HEAP, UPCR_PART_OWN, UPCR_PARTS };
struct upcr_extent {
    unsigned long start, end; /* offsets */
    unsigned long file;       /* where it begins in the file */
};

/* ---- setup.c ---- */

extern MPI_Comm upcr_comm;               /* all threads, for the run-time alone */
extern MPI_Win upcr_window;              /* all segments; MPI_WIN_NULL on one node, or if MPI has none */
extern struct upcr_control *upcr_self;   /* my control data */
extern struct upcr_control *upcr_leader; /* that of the first thread of my node */
extern int upcr_cores;                   /* processors that the threads of my node may use */
extern int upcr_node_count;              /* threads of my node */
extern unsigned long upcr_heap_low, upcr_heap_high;
extern struct upcr_extent upcr_extents[UPCR_PARTS];
extern char *upcr_whole; /* my segment's file in one piece, if there are several nodes */

void upcr_set_up(void);
void upcr_take_down(void);
/* The control data of a thread of my node. */
struct upcr_control *upcr_control_of(int thread);
/* The place of a field of a thread's control data. */
#define UPCR_CONTROL(thread, field) \
    upcr_make((unsigned long)(thread), 0, UPCR_CONTROL_OFFSET + offsetof(struct upcr_control, field))

/* ---- heapsize.c: reads a size such as 512M; returns 0 if it is not one. ---- */
unsigned long upcr_parse_size(const char *text);

/* ---- end.c ---- */

/* Prints one line. */
void upcr_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints one line and ends the job with status 1. */
_Noreturn void upcr_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* The process ends after a while, whatever happens until then. */
void upcr_end_in_time(void);
/* Ends all threads with a status. */
_Noreturn void upcr_end_job(int status);
void upcr_end_prepare(void);
/* Around calls of MPI in which the end of the job must not call MPI. */
extern volatile int upcr_in_mpi;

/* sigaction by glibc's other name, since upc-check has the linker follow the calls that the program makes. */
int upcr_sigaction(int signal, const struct sigaction *to, struct sigaction *before) __asm__("__sigaction");

/* ---- drain.c ---- */

/* Waits until what was written to standard output and error has been read, if they are pipes, for so long at most. */
enum { UPCR_DRAIN_MILLIS = 1000 };
void upcr_drain(void);

/* ---- fault.c ---- */

/* Says of accesses to shared memory that is not there what they are. */
void upcr_fault_prepare(void);
/* Ends the job because of one. */
_Noreturn void upcr_wrong_place(unsigned long thread, unsigned long offset);

/* ---- watched.c: what is reported to unknot run. ---- */

/* What a thread waits for. */
struct upcr_wait {
    uint64_t kind;   /* UPCR_AT_BARRIER and the like */
    int thread;      /* the one that is waited for, or -1 */
    uint64_t number; /* of the barrier or exchange */
};
#define UPCR_A_WHILE \
    {                \
        0, 250000000 \
    }                    /* struct timespec */
extern int upcr_watched; /* all threads report to unknot run what they wait for, and it ends those that wait forever */
/* From here on calls of MPI are hidden. */
void upcr_hide_prepare(void);
/* 1 if this thread can tell; job is a number that the threads of a job share. */
int upcr_watch_prepare(int thread, int threads, unsigned long job);
/* After a while of waiting, and from then on again and again, each time that there still is reason to wait. */
void upcr_still_waits(const struct upcr_wait *what);
void upcr_waits_no_more(void);
/* Tells an error, and 1 if that has worked, so that it need not be printed. */
int upcr_tell_error(const char *text);
/* The error is about an access to a shared object, by this instruction if it is known, or else 0. */
extern uintptr_t upcr_failed_at;
extern int upcr_access_failed;
/*
 * Tells that the program ends itself with a status, and 1 if that has worked. If stop, the job has to be ended by
 * unknot run, quietly.
 */
void upcr_tell_stack(const char *path, int side);
int upcr_tell_end(int status, int stop);

/* ---- sample.c: which accesses are recorded. ---- */

struct upcr_sampling {
    int relaxed;              /* relaxed accesses by expressions are */
    int function, loop, site; /* each of these is a choice; 0: all of them are recorded */
    int persist;              /* a site that has accessed private memory is taken to do so for a while */
    float of_region, of_site; /* by what the chance of the next is multiplied when one is recorded */
    double slowdown;          /* what the program may take, with recording, of its time without; 0 for no bound */
    int proportional;         /* of_region is the chance itself */
    int callers;              /* how many functions that call each other make a loop another one; 0 for none */
    int shared;               /* accesses by pointers-to-local are not recorded */
    unsigned long seed;       /* of what is drawn */
};
extern struct upcr_sampling upcr_sample;
/* The program begins: what is chosen stands in a file. */
void upcr_sample_begin(const char *path, int thread);
/* Whether an access of a site to a place, which begins something new, is recorded. */
int upcr_sample_site(struct upcr_site *site, upcr_ptr p);
/* Time was spent on recording: on accesses that were as expected, and on others. */
void upcr_sample_spend(unsigned long expected, unsigned long others);
/* The thread waits for the reader. */
void upcr_sample_waits(void);
void upcr_sample_waited(void);
/*
 * The thread has taken a lock, or is about to give one back: whether accesses since it took it last may not have been
 * recorded.
 */
void upcr_sample_locked(void);
int upcr_sample_unlocks(void);
/* The sites of the program (races.c). */
struct upcr_site *upcr_sites_begin(void);
struct upcr_site *upcr_sites_end(void);
/* The thread has made an access that is recorded. */
void upcr_sample_recorded(void);

/* ---- meet.c: two threads that race are made to meet. ---- */

extern int upcr_meeting;
/* Takes what is in a file, if it is there. */
void upcr_meet_prepare(const char *path);
/* The thread is about to access shared memory at a site, or to free a block of it; it is somewhere else. */
void upcr_meet_at(unsigned site, upcr_ptr p, unsigned long bytes);
void upcr_meet_free(unsigned site, upcr_ptr p);
void upcr_meet_step(void);

/* ---- races.c: what is recorded of accesses and synchronisation. Each does nothing if nothing is recorded. ---- */

/* 1 if this thread can record. */
int upcr_record_prepare(int thread, int threads, unsigned long job);
/* The program begins, if all can; its thread ends. */
void upcr_record_begin(int all);
void upcr_record_end(void);
/* The process is about to have another POSIX thread: from now on one of them at a time records. */
void upcr_record_several(void);
/* Between these only this POSIX thread records. They nest. */
void upcr_record_take(void);
void upcr_record_drop(void);
/* The process ends out of order: what it has accessed last is recorded too. */
void upcr_record_dies(void);
/* A library function accesses shared memory, or private memory that may be. */
void upcr_record_read(upcr_ptr p, unsigned long bytes);
void upcr_record_write(upcr_ptr p, unsigned long bytes);
void upcr_record_near_read(const void *p, unsigned long bytes);
void upcr_record_near_write(const void *p, unsigned long bytes);
/* Of the barriers of the program: before others can see it, and after all others have been seen. */
void upcr_record_notify(void);
void upcr_record_wait(void);
/* When the thread has the lock, and before it gives it back. */
void upcr_record_lock(upcr_ptr lock);
void upcr_record_unlock(upcr_ptr lock);
/*
 * What is recorded until upcr_record_task_begun runs beside the thread until upcr_record_join. 0 if nothing is
 * recorded.
 */
uint64_t upcr_record_task(void);
void upcr_record_task_begun(void);
void upcr_record_join(uint64_t task);
/*
 * In a collective function, when it has synchronised at its start, and before it does so at its end; what it reads and
 * writes.
 */
void upcr_record_enter(int in_nosync, int in_mysync, int out_nosync);
void upcr_record_leave(void);
/* Only this thread gives what the function gives me, or none if it is -1. */
void upcr_record_source(int thread);
void upcr_record_gives(upcr_ptr p, unsigned long bytes);
void upcr_record_gets(upcr_ptr p, unsigned long bytes);
/* An operation of an atomicity domain; and that a strict one is about to be made, and was made. */
void upcr_record_atomic(upcr_ptr domain, upcr_ptr p, unsigned long bytes, int write);
void upcr_record_atomic_shows(upcr_ptr p);
void upcr_record_atomic_sees(upcr_ptr p);
/* When memory has been allocated, and before it is freed. all says that it is of all threads. */
void upcr_record_alloc(upcr_ptr p, unsigned long bytes, int all);
void upcr_record_free(upcr_ptr p);

/* ---- pause.c ---- */

/*
 * Waits until *word differs from value; whoever changes it must call upcr_wake afterwards. For the threads of one node.
 */
void upcr_sleep(_Atomic uint32_t *word, uint32_t value, _Atomic uint32_t *sleepers, const struct upcr_wait *what);
void upcr_wake(_Atomic uint32_t *word, _Atomic uint32_t *sleepers);
/* One step of waiting for something that cannot be slept on; *step is 0 at first. */
void upcr_pause(unsigned *step);
/* The same, in waiting for what only other threads can bring about; call upcr_waits_no_more afterwards. */
void upcr_pause_for(unsigned *step, const struct upcr_wait *what);

/* ---- ask.c ---- */

/* Lets MPI get on with what others want of my segment, and answers what they ask for. */
void upcr_progress(void);
/* Waits for a request of MPI. */
void upcr_complete(MPI_Request *request);
/* Waits for an operation that all threads have to come to, the next one of its kind. */
void upcr_complete_by_all(MPI_Request *request, uint64_t kind);

/* ---- words.c ---- */

uint64_t upcr_word_load(upcr_ptr p);
void upcr_word_store(upcr_ptr p, uint64_t v);
uint64_t upcr_word_swap(upcr_ptr p, uint64_t v);
uint64_t upcr_word_add(upcr_ptr p, uint64_t v);
/* Gives what was there. */
uint64_t upcr_word_cas(upcr_ptr p, uint64_t old, uint64_t new);

/* ---- lock.c ---- */

void upcr_acquire(upcr_ptr lock);
int upcr_try(upcr_ptr lock);
void upcr_release(upcr_ptr lock);
/* Whether this thread holds it. */
int upcr_holds(upcr_ptr lock);
/* Before it is freed: nobody holds it any more. */
void upcr_forget(upcr_ptr lock);

/* ---- arena.c ---- */

enum { UPCR_BLOCK_HEAD = 16 };
/* The offset of new memory, or 0. segment is the thread in whose segment the arena and its memory are. */
unsigned long upcr_arena_take(int segment, unsigned long arena, unsigned long bytes);
/* How many bytes the memory has that upcr_arena_take gave; 0 if it did not. */
unsigned long upcr_arena_holds(int segment, unsigned long arena, unsigned long offset);
/* Gives back what upcr_arena_take gave, and tells the size of the free block that it is in now; 0 if it did not, or
   if it is free already. */
unsigned long upcr_arena_give(int segment, unsigned long arena, unsigned long offset);
/* Adds memory at the arena's upper or lower end. */
void upcr_arena_grow(int segment, unsigned long arena, unsigned long low, unsigned long high);
/* Gives up a free block of at least so many bytes at the arena's end, or at its start. */
int upcr_arena_trim_high(int segment, unsigned long arena, unsigned long least);
void upcr_arena_trim_low(int segment, unsigned long arena, unsigned long least);
/* The largest piece that is free. */
unsigned long upcr_arena_largest(int segment, unsigned long arena);

/* ---- alloc.c ---- */

upcr_ptr upcr_alloc_own(unsigned long bytes, const char *function);
upcr_ptr upcr_alloc_global(unsigned long bytes, const char *function);
void upcr_free_block(upcr_ptr p, const char *function);
/* How many bytes a block has, of each thread if it is one of all threads, which is said too; 0 if there is none. */
unsigned long upcr_block_bytes(upcr_ptr p, int *of_all);

/* ---- barrier.c, for one node; barrier_far.c, for several ---- */

/* What a thread brings to a phase of the barrier. */
struct upcr_arrival {
    int has, value; /* of upc_notify */
    int end;        /* the thread is at its end */
    char site[UPCR_SITE];
};
/* The barrier of the run-time: at the start of the program, and where a library function needs one. */
void upcr_barrier_inner(void);
void upcr_barrier_end(void);
/* Before a call of MPI that all threads make and that blocks: nobody may still want an answer from one who is in it. */
void upcr_meet(void);
void upcr_far_notify(const struct upcr_arrival *mine);
void upcr_far_wait(void);
/* The value that the notifies of the phase gave, if any. */
int upcr_far_consensus(int *value);
/* Errors of barriers end the job. */
_Noreturn void upcr_values_differ(int thread, const struct upcr_arrival *mine, int other,
                                  const struct upcr_arrival *theirs);
_Noreturn void upcr_some_have_ended(int ended, int waiting);

/* ---- collect.c ---- */

/* What all threads bring, in their order. Everybody gets it. Collective; also a barrier. */
void upcr_parts(const struct upcr_part *mine, struct upcr_part *all);
/* The synchronisation that flags ask for at the start and at the end of a collective function (UPC 1.3, 7.3.3). */
void upcr_enter(int flags);
void upcr_leave(int flags);

/* ---- tell.c ---- */

/* Gives every thread the word of thread 0. Collective; also a barrier. */
uint64_t upcr_tell(uint64_t word);

#pragma GCC visibility pop
#endif
