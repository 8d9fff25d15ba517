// Which time the program sees, and who hears that it asks for it (clocks.c).
//
// Runs: uk_asks wherever the program or a library asks for the time or for random numbers, or waits until a moment, on
// every thread and in signal handlers; uk_clocks_begin in a constructor.
//
// Never: in uk_asks, locks, allocates or sets errno.
#ifndef UK_CLOCKS_H
#define UK_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

enum uk_asked { UK_ASKS_TIME, UK_ASKS_RANDOM, UK_WAITS };

// Is called, once it is set, with the function and its return address. It says whether it is the program that asks, so
// that the answer may be another one.
extern bool (*uk_asks)(enum uk_asked, const char *name, void *site);

// Lets the program see other clocks, of that number from 1 on. The run begins when the file appears, which the first
// process makes; where that cannot be, at start, in nanoseconds of the wall clock.
void uk_clocks_begin(unsigned number, const char *file, int64_t start);

#endif
