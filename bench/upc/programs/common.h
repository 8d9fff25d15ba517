/* What the UPC and the MPI version of every program share: random numbers, the clock, and the line that the harness reads. */
#ifndef COMMON_H
#define COMMON_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The NAS generator: x = a * x mod 2^46, as a fraction of 2^46. */
#define RANDOM_A 1220703125ULL /* 5^13 */
#define RANDOM_MASK ((1ULL << 46) - 1)

static inline double next_random(uint64_t *x, uint64_t a)
{
	*x = (*x * a) & RANDOM_MASK;
	return (double)*x * 0x1p-46;
}

/* a^n mod 2^46 */
static inline uint64_t random_power(uint64_t a, uint64_t n)
{
	uint64_t r = 1;
	for (; n; n >>= 1, a = (a * a) & RANDOM_MASK)
		if (n & 1)
			r = (r * a) & RANDOM_MASK;
	return r;
}

static inline double seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int close_to(double got, double want, double relative)
{
	return fabs(got - want) <= relative * fabs(want);
}

static inline void report(const char *name, char class, int threads, double time, int verified)
{
	printf("%s class=%c threads=%d seconds=%.6f %s\n", name, class, threads, time, verified ? "verified" : "WRONG");
	fflush(stdout);
}

static inline char class_of(int argc, char **argv)
{
	return argc > 1 ? argv[1][0] : 'S';
}

/* The first of the n items of thread t, if these are given in equal parts. */
static inline long part(long n, int t, int threads)
{
	return n * t / threads;
}
#endif
