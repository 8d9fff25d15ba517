/*
 * Functions of Berkeley UPC (bupc_extensions.h) that UPC 1.3 does not have.
 */
#include <time.h>

#include "rt.h"

void upc_poll(void);
double bupc_tick_granularity(void);
double bupc_tick_overhead(void);

void upc_poll(void)
{
    upcr_relax();
}

double bupc_tick_granularity(void)
{
    struct timespec t;
    clock_getres(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

double bupc_tick_overhead(void)
{
    enum { TIMES = 1000 };
    struct timespec first, last;
    clock_gettime(CLOCK_MONOTONIC, &first);
    for (int i = 0; i < TIMES; i++)
        clock_gettime(CLOCK_MONOTONIC, &last);
    return ((double)(last.tv_sec - first.tv_sec) * 1e6 + (double)(last.tv_nsec - first.tv_nsec) / 1e3) / TIMES;
}
