/*
 * Functions of Berkeley UPC that programs from before UPC 1.3 use. Those that have become functions of UPC are these.
 */
#ifndef __BUPC_EXTENSIONS_H__
#define __BUPC_EXTENSIONS_H__

#include <upc.h>
#include <upc_castable.h>
#include <upc_nb.h>
#include <upc_tick.h>

/* Timers. A tick is that of upc_tick.h; granularity and overhead are in microseconds. */
typedef upc_tick_t bupc_tick_t;
#define BUPC_TICK_MIN UPC_TICK_MIN
#define BUPC_TICK_MAX UPC_TICK_MAX
#define bupc_ticks_now() upc_ticks_now()
#define bupc_ticks_to_ns(ticks) upc_ticks_to_ns(ticks)
#define bupc_ticks_to_us(ticks) (upc_ticks_to_ns(ticks) / 1000)
double bupc_tick_granularity(void);
double bupc_tick_overhead(void);

/* A turn for the data that other threads want of this one. */
#define bupc_poll() upc_poll()

/* 1 if two types, or the types of two expressions, are the same, their qualifiers and block sizes included, else 0. */
#define bupc_assert_type(a, b) __builtin_types_compatible_p(__typeof__(a) *, __typeof__(b) *)

/* Transfers that go on while the thread does. */
typedef upc_handle_t bupc_handle_t;
#define BUPC_COMPLETE_HANDLE UPC_COMPLETE_HANDLE
#define bupc_memcpy_async(dst, src, n) upc_memcpy_nb(dst, src, n)
#define bupc_memget_async(dst, src, n) upc_memget_nb(dst, src, n)
#define bupc_memput_async(dst, src, n) upc_memput_nb(dst, src, n)
#define bupc_memset_async(dst, c, n) upc_memset_nb(dst, c, n)
#define bupc_waitsync(handle) upc_sync(handle)
#define bupc_trysync(handle) upc_sync_attempt(handle)

/* Pointers to local for what is on the same node. */
#define bupc_cast(ptr) upc_cast(ptr)
#define bupc_castable(ptr) (upc_cast(ptr) != 0)
#define bupc_thread_castable(thread) (upc_thread_info(thread).guaranteedCastable == UPC_CASTABLE_ALL)

/* How far away a thread is; the numbers mean nothing but their order. */
enum {
    BUPC_THREADS_SAME = 0,
    BUPC_THREADS_VERYNEAR = 16,
    BUPC_THREADS_NEAR = 64,
    BUPC_THREADS_FAR = 112,
    BUPC_THREADS_VERYFAR = 192
};
#define bupc_thread_distance(thread)                        \
    ((int)(thread) == MYTHREAD      ? BUPC_THREADS_SAME     \
     : bupc_thread_castable(thread) ? BUPC_THREADS_VERYNEAR \
                                    : BUPC_THREADS_VERYFAR)

#endif
