/*
 * The collective functions of upc_collective.h that move data (UPC 1.3, 7.6.2). Phases of their arguments do not count.
 */
#include "rt.h"

typedef int upc_flag_t;
void upc_all_broadcast(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags);
void upc_all_scatter(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags);
void upc_all_gather(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags);
void upc_all_gather_all(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags);
void upc_all_exchange(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags);
void upc_all_permute(upcr_ptr dst, upcr_ptr src, upcr_ptr perm, size_t bytes, upc_flag_t flags);

/* The part of thread t of an object with one block a thread. */
static upcr_ptr of_thread(upcr_ptr base, int t)
{
    return upcr_make((unsigned long)t, 0, upcr_offset(base));
}

/* What a function reads and writes: so many bytes of one thread, or of each. */
static void gives(upcr_ptr p, size_t bytes)
{
    upcr_record_gives(upcr_resetphase(p), bytes);
}

static void gets(upcr_ptr p, size_t bytes)
{
    upcr_record_gets(upcr_resetphase(p), bytes);
}

static void all_give(upcr_ptr p, size_t bytes)
{
    for (int t = 0; upcr_recording && t < upcr_threads; t++)
        upcr_record_gives(of_thread(p, t), bytes);
}

static void all_get(upcr_ptr p, size_t bytes)
{
    for (int t = 0; upcr_recording && t < upcr_threads; t++)
        upcr_record_gets(of_thread(p, t), bytes);
}

/* Each thread begins with another one, so that they do not all want the same one's data at a time. */
static int in_turn(int i)
{
    return (upcr_thread + i) % upcr_threads;
}

void upc_all_broadcast(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags)
{
    upcr_enter(flags);
    upcr_record_source((int)upcr_threadof(src));
    gives(src, bytes);
    all_get(dst, bytes);
    upcr_get(upcr_own(dst), upcr_resetphase(src), bytes);
    upcr_leave(flags);
}

void upc_all_scatter(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags)
{
    upcr_enter(flags);
    upcr_record_source((int)upcr_threadof(src));
    gives(src, (size_t)upcr_threads * bytes);
    all_get(dst, bytes);
    upcr_get(upcr_own(dst), upcr_resetphase(src) + (size_t)upcr_thread * bytes, bytes);
    upcr_leave(flags);
}

void upc_all_gather(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags)
{
    upcr_enter(flags);
    upcr_record_source(upcr_is_mine(dst) ? UPCR_EVERYBODY : -1);
    all_give(src, bytes);
    gets(dst, (size_t)upcr_threads * bytes);
    upcr_put(upcr_resetphase(dst) + (size_t)upcr_thread * bytes, upcr_own(src), bytes);
    upcr_leave(flags);
}

void upc_all_gather_all(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags)
{
    upcr_enter(flags);
    all_give(src, bytes);
    all_get(dst, (size_t)upcr_threads * bytes);
    for (int i = 0; i < upcr_threads; i++)
        upcr_get((char *)upcr_own(dst) + (size_t)in_turn(i) * bytes, of_thread(src, in_turn(i)), bytes);
    upcr_leave(flags);
}

void upc_all_exchange(upcr_ptr dst, upcr_ptr src, size_t bytes, upc_flag_t flags)
{
    upcr_enter(flags);
    all_give(src, (size_t)upcr_threads * bytes);
    all_get(dst, (size_t)upcr_threads * bytes);
    for (int i = 0; i < upcr_threads; i++)
        upcr_get((char *)upcr_own(dst) + (size_t)in_turn(i) * bytes,
                 of_thread(src, in_turn(i)) + (size_t)upcr_thread * bytes, bytes);
    upcr_leave(flags);
}

void upc_all_permute(upcr_ptr dst, upcr_ptr src, upcr_ptr perm, size_t bytes, upc_flag_t flags)
{
    upcr_enter(flags);
    all_give(src, bytes);
    all_give(perm, sizeof(int));
    all_get(dst, bytes);
    upcr_put(of_thread(dst, *(int *)upcr_own(perm)), upcr_own(src), bytes);
    upcr_leave(flags);
}
