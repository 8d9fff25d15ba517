/*
 * What barriers and the handing over of a lock cost. Prints "name nanoseconds" a line.
 */
#include <stdio.h>
#include <time.h>

#include "upcr.h"

enum { TIMES = 3000, ROUNDS = 7 };

upcr_ptr upc_all_lock_alloc(void);
void upc_lock(upcr_ptr), upc_unlock(upcr_ptr);
UPCR_OBJECT(turn, 8, 8);

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void barriers(void)
{
	for (int i = 0; i < TIMES; i++)
		upcr_barrier(0, 0);
}

static upcr_ptr lock;

static void locks(void)
{
	for (int i = 0; i < TIMES; i++) {
		upc_lock(lock);
		UPCR_WRITE(long, UPCR_ADDRESS(turn), UPCR_READ(long, UPCR_ADDRESS(turn)) + 1);
		upc_unlock(lock);
	}
	upcr_barrier(0, 0);
}

static void alone(void)
{
	if (upcr_thread == 0)
		locks();
	else
		upcr_barrier(0, 0);
}

static void measure(const char *name, void (*what)(void), int times)
{
	double best = 1e18;
	for (int r = 0; r < ROUNDS; r++) {
		upcr_barrier(0, 0);
		double start = now();
		what();
		double took = now() - start;
		best = took < best ? took : best;
	}
	if (upcr_thread == 0)
		printf("%s %.1f\n", name, best / times);
}

int upcr_main(int argc, char **argv, char **envp)
{
	(void)argc, (void)argv, (void)envp;
	lock = upc_all_lock_alloc();
	measure("barrier", barriers, TIMES);
	measure("lock-alone", alone, TIMES);
	measure("lock-contended", locks, TIMES * upcr_threads);
	return 0;
}
