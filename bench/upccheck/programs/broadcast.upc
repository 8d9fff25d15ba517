/*
 * What one upc_all_broadcast costs.
 *
 * alone: in each round thread 0 calls it after all others have done so, FIRST times and then BATCH times, of which it measures its own
 * processor time. For where the function does nothing, so that nobody waits for anybody in it: the checks compare with both neighbours then, and
 * never wait. Thread 0 has a processor for itself. The result is the time that a tenth of the rounds do not exceed.
 * together: the time of a call that all threads make at once; the result is the median.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <upc_relaxed.h>
#include <upc_collective.h>

enum { BATCH = 32, FIRST = 16, WARM = 5 };

shared [64] char to[64 * THREADS];
shared [] char from[64];
strict shared int done[THREADS];

static double now(clockid_t clock)
{
	struct timespec t;
	clock_gettime(clock, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void batch(int n)
{
	for (int i = 0; i < n; i++)
		upc_all_broadcast(to, from, 64, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
}

static double alone(int round)
{
	double time = 0;
	upc_barrier;
	for (int t = 1; MYTHREAD == 0 && t < THREADS; t++)
		while (done[t] <= round)
			usleep(100);
	batch(FIRST);
	if (MYTHREAD == 0)
		time = now(CLOCK_THREAD_CPUTIME_ID);
	batch(BATCH);
	if (MYTHREAD == 0)
		time = now(CLOCK_THREAD_CPUTIME_ID) - time;
	done[MYTHREAD] = round + 1;
	upc_barrier;
	return time / BATCH;
}

static double together(void)
{
	upc_barrier;
	double time = now(CLOCK_MONOTONIC);
	batch(BATCH);
	return (now(CLOCK_MONOTONIC) - time) / BATCH;
}

/* Thread 0 has a processor for itself, so what it reads of its neighbours always comes from another one. */
static void stay(int processor)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	sched_setaffinity(0, sizeof set, &set);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 0, is_alone = argc > 2 && strcmp(argv[1], "alone") == 0;
	if (rounds < 1)
		return 2;
	if (is_alone && sysconf(_SC_NPROCESSORS_ONLN) > 1)
		stay(MYTHREAD > 0);
	double *times = malloc((size_t)rounds * sizeof *times);
	for (int i = -WARM; i < rounds; i++) {
		double time = is_alone ? alone(i + WARM) : together();
		if (i >= 0)
			times[i] = time;
	}
	qsort(times, (size_t)rounds, sizeof *times, by_size);
	if (MYTHREAD == 0)
		printf("microseconds=%.4f\n", times[rounds / (is_alone ? 10 : 2)]);
	free(times);
	return 0;
}
