/*
 * upc_tick.h (UPC 1.3, 7.5): a tick is a nanosecond of the system's steady clock.
 */
#include <time.h>

#include "rt.h"

uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);

uint64_t upc_ticks_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t upc_ticks_to_ns(uint64_t ticks)
{
    return ticks;
}
