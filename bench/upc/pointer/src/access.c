/*
 * What an access through a pointer-to-shared costs against one to private memory, for the two forms that such a pointer could have:
 * packed into 64 bits, as upcr.h has it, and as a struct of 16 bytes. Written as lowered code. Thread 0 measures, the others sleep. Prints
 * "name nanoseconds" a line: the best of many short runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "upcr.h"

enum { N = 1 << 12, RUNS = 400, BLOCK = 64 };

upcr_ptr upc_all_alloc(unsigned long, unsigned long);

/* The other form: the address as it is mapped, the same in all processes of the node. */
struct wide {
	unsigned long address;
	unsigned thread, phase;
};

static inline struct wide wide_next(struct wide p, unsigned b, unsigned long es)
{
	if (b == 0) {
		p.address += es;
		return p;
	}
	p.address += es;
	if (b > 1 && ++p.phase < b)
		return p;
	p.phase = 0;
	p.address -= b * es;
	if (++p.thread < (unsigned)upcr_threads) {
		p.address += UPCR_SEGMENT;
		return p;
	}
	p.thread = 0;
	p.address += b * es - ((unsigned long)upcr_threads - 1) * UPCR_SEGMENT;
	return p;
}

static inline int wide_here(struct wide p)
{
	return UPCR_LIKELY(upcr_one_node) || upcr_near[p.thread];
}

static inline long wide_read(struct wide p)
{
	long v;
	if (UPCR_LIKELY(wide_here(p)))
		return *(long *)p.address;
	upcr_get(&v, upcr_make(p.thread, p.phase, p.address), sizeof v);
	return v;
}

static inline void wide_write(struct wide p, long v)
{
	if (UPCR_LIKELY(wide_here(p)))
		*(long *)p.address = v;
	else
		upcr_put(upcr_make(p.thread, p.phase, p.address), &v, sizeof v);
}

static struct wide widen(upcr_ptr p)
{
	return (struct wide){(unsigned long)upcr_at(p), (unsigned)upcr_threadof(p), (unsigned)upcr_phaseof(p)};
}

#define SUM(NAME, PARAMETERS, READ, STEP)                       \
	__attribute__((noinline)) static long NAME(PARAMETERS)      \
	{                                                           \
		long s = 0;                                             \
		for (long i = 0; i < N; i++) {                          \
			s += READ;                                          \
			STEP;                                               \
		}                                                       \
		return s;                                               \
	}
SUM(sum_private, long *p, *p, p++)
SUM(sum_own, upcr_ptr p, UPCR_HERE(long, p), p = upcr_next(p, 0, 8))
SUM(sum_indefinite, upcr_ptr p, UPCR_READ(long, p), p = upcr_next(p, 0, 8))
SUM(sum_cyclic, upcr_ptr p, UPCR_READ(long, p), p = upcr_next(p, 1, 8))
SUM(sum_blocked, upcr_ptr p, UPCR_READ(long, p), p = upcr_next(p, BLOCK, 8))
SUM(wide_indefinite, struct wide p, wide_read(p), p = wide_next(p, 0, 8))
SUM(wide_cyclic, struct wide p, wide_read(p), p = wide_next(p, 1, 8))
SUM(wide_blocked, struct wide p, wide_read(p), p = wide_next(p, BLOCK, 8))

#define FILL(NAME, PARAMETERS, WRITE, STEP)                     \
	__attribute__((noinline)) static long NAME(PARAMETERS)      \
	{                                                           \
		for (long i = 0; i < N; i++) {                          \
			WRITE;                                              \
			STEP;                                               \
		}                                                       \
		return 0;                                               \
	}
FILL(fill_private, long *p, *p = i, p++)
FILL(fill_own, upcr_ptr p, UPCR_HERE(long, p) = i, p = upcr_next(p, 0, 8))
FILL(fill_indefinite, upcr_ptr p, UPCR_WRITE(long, p, i), p = upcr_next(p, 0, 8))
FILL(fill_cyclic, upcr_ptr p, UPCR_WRITE(long, p, i), p = upcr_next(p, 1, 8))
FILL(fill_blocked, upcr_ptr p, UPCR_WRITE(long, p, i), p = upcr_next(p, BLOCK, 8))
FILL(fill_wide_blocked, struct wide p, wide_write(p, i), p = wide_next(p, BLOCK, 8))

/* Pointers that are themselves in memory: a list whose order is mixed. */
__attribute__((noinline)) static long chase_private(long *p)
{
	long s = 0;
	for (long i = 0; i < N; i++) {
		p = (long *)*p;
		s += (long)p;
	}
	return s;
}

__attribute__((noinline)) static long chase_packed(upcr_ptr p)
{
	long s = 0;
	for (long i = 0; i < N; i++) {
		p = UPCR_READ(upcr_ptr, p);
		s += (long)p;
	}
	return s;
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static volatile long sink;

#define MEASURE(NAME, CALL)                                     \
	do {                                                        \
		double best = 1e18;                                     \
		for (int r = 0; r < RUNS; r++) {                        \
			double start = now();                               \
			sink = CALL;                                        \
			double took = now() - start;                        \
			best = took < best ? took : best;                   \
		}                                                       \
		printf("%s %.3f\n", NAME, best / N);                    \
	} while (0)

static void measure(upcr_ptr a)
{
	long *private = malloc(N * 8);
	unsigned order[N];
	for (unsigned i = 0; i < N; i++)
		order[i] = i * 1709 % N; /* a permutation, N being a power of two */
	MEASURE("fill-private", fill_private(private));
	MEASURE("fill-own", fill_own(a));
	MEASURE("fill-indefinite", fill_indefinite(a));
	MEASURE("fill-blocked", fill_blocked(a));
	MEASURE("fill-wide-blocked", fill_wide_blocked(widen(a)));
	MEASURE("fill-cyclic", fill_cyclic(a));
	MEASURE("read-private", sum_private(private));
	MEASURE("read-own", sum_own(a));
	MEASURE("read-indefinite", sum_indefinite(a));
	MEASURE("read-wide-indefinite", wide_indefinite(widen(a)));
	MEASURE("read-blocked", sum_blocked(a));
	MEASURE("read-wide-blocked", wide_blocked(widen(a)));
	MEASURE("read-cyclic", sum_cyclic(a));
	MEASURE("read-wide-cyclic", wide_cyclic(widen(a)));
	for (unsigned i = 0; i < N; i++) {
		private[order[i]] = (long)&private[order[(i + 1) % N]];
		UPCR_WRITE(upcr_ptr, a + 8 * order[i], a + 8 * order[(i + 1) % N]);
	}
	MEASURE("chase-private", chase_private(private));
	MEASURE("chase-packed", chase_packed(a));
}

int upcr_main(int argc, char **argv, char **envp)
{
	(void)argc, (void)argv, (void)envp;
	upcr_ptr a = upc_all_alloc((unsigned long)upcr_threads, N * 8 * 2);
	if (upcr_thread == 0)
		measure(a);
	return 0;
}
