/* Random updates of a table that is spread over the threads (after HPCC RandomAccess): each item is xor-ed with a random number whose
   low bits choose it. Up to one in a hundred items may be wrong, since updates of two threads may meet. */
#ifndef GUPS_H
#define GUPS_H
#include "common.h"
static int gups_log(char class) { return class == 'S' ? 16 : class == 'W' ? 20 : class == 'A' ? 22 : 24; }
#define GUPS_TIMES 4 /* updates for each item */

static inline uint64_t gups_next(uint64_t x) { return (x << 1) ^ ((int64_t)x < 0 ? 7 : 0); }

/* A start of the sequence for each thread. */
static inline uint64_t gups_start(int thread)
{
	uint64_t x = 0x9e3779b97f4a7c15ULL * (uint64_t)(thread + 1);
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
	return (x ^ (x >> 27)) | 1;
}
#endif
