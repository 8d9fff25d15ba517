/*
 * Several threads write to thread 0 at a time, more than the queue of its messages holds, while it is not in MPI: what a fence has let
 * pass is there. The threads take themselves for nodes, and learn from a file how far the others are. It is the first argument.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

#include "check.h"

typedef struct transfer *handle;
handle upc_memput_nb(upcr_ptr, const void *, size_t);
void upc_sync(handle);
upcr_ptr upc_all_alloc(size_t, size_t);

enum { WORDS = 64, FIRST = 32 };

static struct {
	_Atomic int started, passed[UPCR_MAX_THREADS];
} *told;

static void open_file(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	CHECK(fd >= 0 && ftruncate(fd, sizeof *told) == 0);
	told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(told != MAP_FAILED);
	close(fd);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Element i of what a thread writes. */
static upcr_ptr at(upcr_ptr all, int thread, int i)
{
	return upcr_add(all, ((long)thread * WORDS + i), 0, 8);
}

static long value(int thread, int i)
{
	return 1000L * thread + i + 1;
}

/* The threads begin one after the other, so that the last ones find the queue full. */
static void write_all(upcr_ptr all, int bulk)
{
	while (atomic_load(&told->started) != upcr_thread)
		usleep(100);
	if (bulk) {
		long values[WORDS];
		handle h[WORDS];
		for (int i = 0; i < WORDS; i++) {
			values[i] = value(upcr_thread, i);
			h[i] = upc_memput_nb(at(all, upcr_thread, i), &values[i], 8);
		}
		atomic_store(&told->started, upcr_thread + 1);
		for (int i = 0; i < WORDS; i++)
			upc_sync(h[i]);
	} else {
		for (int i = 0; i < WORDS; i++) {
			if (i == FIRST)
				atomic_store(&told->started, upcr_thread + 1);
			UPCR_WRITE(long, at(all, upcr_thread, i), value(upcr_thread, i));
		}
		upcr_fence();
	}
	atomic_store(&told->passed[upcr_thread], 1);
}

static void look(upcr_ptr all, int thread)
{
	for (int i = 0; i < WORDS; i++)
		CHECK(*(volatile long *)upcr_own(at(all, thread, i)) == value(thread, i));
}

/* Not in MPI until all others are in the midst of it, and some time after that; not for ever, as an MPI library may let a single write wait. */
static void watch(upcr_ptr all)
{
	double end = now() + 10;
	for (int begun = 0; now() < end;) {
		if (!begun && (begun = atomic_load(&told->started) == upcr_threads))
			end = now() + 1;
		for (int t = 1; t < upcr_threads; t++)
			if (atomic_load(&told->passed[t]))
				look(all, t);
		usleep(1000);
	}
}

int upcr_main(int argc, char **argv, char **envp)
{
	UNUSED_MAIN;
	open_file(argv[1]);
	for (int bulk = 0; bulk < 2; bulk++) {
		upcr_ptr all = upc_all_alloc((size_t)upcr_threads, (size_t)upcr_threads * WORDS * 8);
		if (upcr_thread == 0) {
			atomic_store(&told->started, 1);
			for (int t = 1; t < upcr_threads; t++)
				atomic_store(&told->passed[t], 0);
		}
		upcr_barrier(0, 0);
		if (upcr_thread == 0)
			watch(all);
		else
			write_all(all, bulk);
		upcr_barrier(0, 0);
		if (upcr_thread == 0)
			for (int t = 1; t < upcr_threads; t++)
				look(all, t);
	}
	upcr_barrier(0, 0);
	if (upcr_thread == 0)
		printf("fine %d\n", upcr_threads);
	return 0;
}
