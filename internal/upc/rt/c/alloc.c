/*
 * The shared heap. Each thread's part of it has the thread's own objects at the lower end, which grows upwards, and at
 * the upper end those that have the same place on all threads, whose tags are in the segment of thread 0. Any thread
 * may allocate and free in any of these, with the lock of the arena; where the two ends of the heap are is guarded by
 * the lock of the global one.
 */
#include "rt.h"

enum { GROWTH = 1 << 20, GIVEN_UP = 8 << 20 };

#define ARENA(field) (UPCR_CONTROL_OFFSET + offsetof(struct upcr_control, field))
#define GLOBAL_LOCK UPCR_CONTROL(0, global_lock)

static uint64_t word_of_zero(unsigned long offset)
{
    uint64_t v;
    upcr_get(&v, upcr_make(0, 0, offset), sizeof v);
    return v;
}

static unsigned long global_low(void)
{
    return word_of_zero(ARENA(global.low));
}

static unsigned long round_up(unsigned long bytes, unsigned long unit)
{
    return (bytes + unit - 1) & ~(unit - 1);
}

/* A heap in which the request would have found room. */
static unsigned long enough(unsigned long bytes)
{
    unsigned long heap = upcr_heap_high - upcr_heap_low, needed = 64UL << 20;
    while (needed < heap + bytes + GROWTH && needed < UPCR_SEGMENT)
        needed *= 2;
    return needed >> 20;
}

static _Noreturn void run_out(const char *function, unsigned long bytes, const char *of_whom, unsigned long room)
{
    upcr_fail(
        "%s on thread %d needs %lu bytes of %s, and the shared heap of %lu bytes has %lu left in one piece; hint: "
        "UPC_SHARED_HEAP_SIZE=%luM",
        function, upcr_thread, bytes, of_whom, upcr_heap_high - upcr_heap_low, room, enough(bytes));
}

/* How much an arena grows: room for one block at least, more if there is. 0 if there is not even that. */
static unsigned long growth(unsigned long bytes, unsigned long room)
{
    unsigned long least = round_up(bytes + 4 * UPCR_LINE, UPCR_LINE), much = round_up(least, GROWTH);
    return much <= room ? much : least <= room ? round_up(least, UPCR_LINE) : 0;
}

/* Moves up the end of my own heap. Gives the room that there was. */
static unsigned long grow_own(unsigned long bytes)
{
    upcr_acquire(GLOBAL_LOCK);
    unsigned long room = global_low() - upcr_self->arena.high, more = growth(bytes, room);
    if (more) {
        uint64_t high = upcr_self->arena.high + more;
        upcr_put(UPCR_CONTROL(0, local_high) + 8 * (unsigned long)upcr_thread, &high, sizeof high);
        upcr_arena_grow(upcr_thread, ARENA(arena), upcr_self->arena.low, high);
    }
    upcr_release(GLOBAL_LOCK);
    return room;
}

upcr_ptr upcr_alloc_own(unsigned long bytes, const char *function)
{
    upcr_ptr lock = UPCR_CONTROL(upcr_thread, lock);
    unsigned long room = 0;
    upcr_acquire(lock);
    unsigned long offset = bytes < UPCR_SEGMENT ? upcr_arena_take(upcr_thread, ARENA(arena), bytes) : 0;
    if (!offset && bytes < UPCR_SEGMENT) {
        room = grow_own(bytes);
        offset = upcr_arena_take(upcr_thread, ARENA(arena), bytes);
    }
    if (!offset) {
        unsigned long largest = upcr_arena_largest(upcr_thread, ARENA(arena));
        run_out(function, bytes, "its own", largest > room ? largest : room);
    }
    upcr_release(lock);
    return upcr_make((unsigned long)upcr_thread, 0, offset);
}

/* Moves down the start of the global heap. Its lock is held. Gives the room that there was. */
static unsigned long grow_global(unsigned long bytes)
{
    static uint64_t own[UPCR_MAX_THREADS];
    unsigned long highest = upcr_heap_low, low = global_low();
    upcr_get(own, UPCR_CONTROL(0, local_high), sizeof *own * (unsigned long)upcr_threads);
    for (int t = 0; t < upcr_threads; t++)
        highest = own[t] > highest ? own[t] : highest;
    unsigned long room = low - highest, more = growth(bytes, room);
    if (more)
        upcr_arena_grow(0, ARENA(global), low - more, upcr_heap_high);
    return room;
}

upcr_ptr upcr_alloc_global(unsigned long bytes, const char *function)
{
    unsigned long room = 0;
    upcr_acquire(GLOBAL_LOCK);
    unsigned long offset = bytes < UPCR_SEGMENT ? upcr_arena_take(0, ARENA(global), bytes) : 0;
    if (!offset && bytes < UPCR_SEGMENT) {
        room = grow_global(bytes);
        offset = upcr_arena_take(0, ARENA(global), bytes);
    }
    if (!offset) {
        unsigned long largest = upcr_arena_largest(0, ARENA(global));
        run_out(function, bytes, "each thread", largest > room ? largest : room);
    }
    upcr_release(GLOBAL_LOCK);
    return upcr_make(0, 0, offset);
}

/* A thread's own heap with much free memory at its end leaves that to the others. The arena's lock is held. */
static void shrink_own(unsigned long thread)
{
    upcr_acquire(GLOBAL_LOCK);
    if (upcr_arena_trim_high((int)thread, ARENA(arena), GIVEN_UP))
        upcr_copy(UPCR_CONTROL(0, local_high) + 8 * thread, UPCR_CONTROL(thread, arena.high), sizeof(uint64_t));
    upcr_release(GLOBAL_LOCK);
}

static int free_own(unsigned long thread, unsigned long offset)
{
    upcr_acquire(UPCR_CONTROL(thread, lock));
    unsigned long fine = upcr_arena_give((int)thread, ARENA(arena), offset);
    if (fine >= GIVEN_UP)
        shrink_own(thread);
    upcr_release(UPCR_CONTROL(thread, lock));
    return fine != 0;
}

static int free_global(unsigned long offset)
{
    upcr_acquire(GLOBAL_LOCK);
    unsigned long fine = upcr_arena_give(0, ARENA(global), offset);
    if (fine >= GIVEN_UP)
        upcr_arena_trim_low(0, ARENA(global), GIVEN_UP);
    upcr_release(GLOBAL_LOCK);
    return fine != 0;
}

unsigned long upcr_block_bytes(upcr_ptr p, int *of_all)
{
    unsigned long thread = upcr_threadof(p), offset = upcr_offset(p);
    *of_all = offset >= global_low();
    if (thread >= (unsigned long)upcr_threads)
        return 0;
    upcr_ptr lock = *of_all ? GLOBAL_LOCK : UPCR_CONTROL(thread, lock);
    upcr_acquire(lock);
    unsigned long bytes =
        *of_all ? upcr_arena_holds(0, ARENA(global), offset) : upcr_arena_holds((int)thread, ARENA(arena), offset);
    upcr_release(lock);
    return bytes;
}

void upcr_free_block(upcr_ptr p, const char *function)
{
    unsigned long thread = upcr_threadof(p), offset = upcr_offset(p);
    int fine = 0;
    if (offset >= global_low())
        fine = thread == 0 && free_global(offset);
    else if (thread < (unsigned long)upcr_threads)
        fine = free_own(thread, offset);
    if (!fine)
        upcr_fail("thread %d calls %s for a pointer (thread %lu, address %#lx) that was not allocated, or is already "
                  "freed; hint: the "
                  "pointer must be as the allocation gave it, and freed once",
                  upcr_thread, function, thread, offset);
}
