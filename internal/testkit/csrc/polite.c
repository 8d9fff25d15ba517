/* Ranks that give the processor away while they wait, for jobs of tests, which have more ranks than there are processors. MPICH's look for
   messages all the time (of UCX), and those of Open MPI, when they are to give way (mpi_yield_when_idle), call sched_yield as often as they can. With
   this library, which LD_PRELOAD names, both sleep between two looks once nothing has come for a while: longer and longer, as a rank that has waited
   for a while mostly hangs, until somebody has seen that it does. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

enum { LOOKS = 300, SHORTEST_NANOS = 50000, LONGEST_NANOS = 2000000, LOOK_NANOS = 100000 };

static long long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* A rank that took long between two naps has had something to do. */
int sched_yield(void)
{
	static __thread long long woken, nap;
	nap = now() - woken > LOOK_NANOS ? SHORTEST_NANOS : nap + nap / 8;
	if (nap > LONGEST_NANOS)
		nap = LONGEST_NANOS;
	int failed = nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
	woken = now();
	return failed;
}

unsigned ucp_worker_progress(void *worker)
{
	static unsigned (*real)(void *);
	static __thread unsigned idle;
	if (!real)
		real = (unsigned (*)(void *))dlsym(RTLD_NEXT, "ucp_worker_progress");
	if (!real) /* Python has loaded it for a module alone. */
		real = (unsigned (*)(void *))dlsym(dlopen("libucp.so.0", RTLD_LAZY | RTLD_NOLOAD), "ucp_worker_progress");
	unsigned events = real(worker);
	idle = events ? 0 : idle + 1;
	if (idle > LOOKS)
		sched_yield();
	return events;
}
