/* Programs that end in ways of their own; the first argument says which. */
#include "check.h"
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

upcr_ptr upc_alloc(size_t), upc_all_alloc(size_t, size_t), upc_all_lock_alloc(void);
void upc_free(upcr_ptr), upc_global_exit(int), upc_lock(upcr_ptr), upc_unlock(upcr_ptr), upc_lock_free(upcr_ptr);
int upc_lock_attempt(upcr_ptr);

static void values(void)
{
#line 10 "values.upc"
	upcr_barrier(1, upcr_thread == 0 ? 1 : 2);
}

static void wait_value(void)
{
#line 20 "wait.upc"
	upcr_notify(1, 7);
	upcr_wait(1, upcr_thread == 1 ? 8 : 7);
}

static void some_values(void)
{
	for (int i = 0; i < 3; i++) {
		if (upcr_thread % 2 == i % 2)
			upcr_barrier(1, i);
		else
			upcr_barrier(0, 0);
	}
	puts("fine");
}

static void notify_twice(void)
{
#line 30 "twice.upc"
	upcr_notify(0, 0);
	upcr_notify(0, 0);
}

static void only_wait(void)
{
#line 40 "only.upc"
	upcr_wait(0, 0);
}

static void end_in_phase(void)
{
	upcr_notify(0, 0);
	if (upcr_thread == 1)
		exit(0);
	upcr_wait(0, 0);
}

static void early(void)
{
	if (upcr_thread != 1)
		upcr_barrier(0, 0);
}

static void exhaust_own(void)
{
	if (upcr_thread == 1)
		for (;;)
			upc_alloc(10 << 20);
}

static void exhaust_all(void)
{
	upc_all_alloc((size_t)upcr_threads, 5UL << 30);
}

static void free_twice(void)
{
	upcr_ptr p = upc_alloc(100), q = upc_alloc(100);
	upc_free(q);
	upc_free(p);
	if (upcr_thread == 0)
		upc_free(p);
	upcr_barrier(0, 0);
}

static void lock_twice(void)
{
	upcr_ptr lock = upc_all_lock_alloc();
	if (upcr_thread == 1) {
		upc_lock(lock);
		upc_lock(lock);
	}
}

static void unlock_other(void)
{
	upcr_ptr lock = upc_all_lock_alloc();
	if (upcr_thread == 0)
		upc_lock(lock);
	upcr_barrier(0, 0);
	if (upcr_thread == 1)
		upc_unlock(lock);
	upcr_barrier(0, 0);
}

/* Thread 2 takes a lock that thread 0 has freed, though not at the same time. */
static void take_freed(int attempt)
{
	upcr_ptr lock = upc_all_lock_alloc();
	if (upcr_thread == 0)
		upc_lock_free(lock);
	upcr_barrier(0, 0);
	if (upcr_thread == 2) {
		if (attempt)
			upc_lock_attempt(lock);
		else
			upc_lock(lock);
	}
	upcr_barrier(0, 0);
}

static void lock_freed(void)
{
	take_freed(0);
}

static void attempt_freed(void)
{
	take_freed(1);
}

/* Thread 1 ends all of them while one computes, one waits for a lock and one is in a barrier. */
static void global_exit(void)
{
	upcr_ptr lock = upc_all_lock_alloc();
	if (upcr_thread == 1)
		upc_lock(lock);
	printf("said by %d\n", upcr_thread);
	upcr_barrier(0, 0);
	switch (upcr_thread) {
	case 1:
		upc_global_exit(7);
		break;
	case 2:
		upc_lock(lock);
		break;
	case 3:
		upcr_barrier(0, 0);
		break;
	default:
		for (volatile long i = 0;; i++)
			;
	}
}

static void exits(void)
{
	printf("said by %d\n", upcr_thread);
	if (upcr_thread == 1)
		exit(3);
}

static void killed(void)
{
	upcr_barrier(0, 0);
	if (upcr_thread == 1)
		raise(SIGKILL);
	upcr_barrier(0, 0);
}

static void heap(void)
{
	upcr_ptr p = upc_all_alloc((size_t)upcr_threads, 600UL << 20);
	UPCR_WRITE(int, p + (599UL << 20), 5);
	puts("fine");
}

static void null_pointer(void)
{
	upcr_barrier(0, 0);
	if (upcr_thread == upcr_threads - 1)
		UPCR_WRITE(int, UPCR_NULL, 1);
	upcr_barrier(0, 0);
}

static void thread_1_reads(upcr_ptr p)
{
	upcr_barrier(0, 0);
	if (upcr_thread == 1)
		printf("%d\n", UPCR_READ(int, p));
	upcr_barrier(0, 0);
}

static void wild_pointer(void)
{
	thread_1_reads(upcr_make(2, 3, 9UL << 30));
}

/* What runs out of thread 2's static objects. */
static void below(void)
{
	thread_1_reads(upcr_make(2, 0, UPCR_STATIC_OFFSET) - 8);
}

static void beyond(void)
{
	thread_1_reads(upcr_make(2, 0, UPCR_STATIC_OFFSET) + 65536);
}

/* What runs out of all segments. */
static void far_below(void)
{
	thread_1_reads(UPCR_STATIC_OFFSET - (1UL << 20));
}

static void far_beyond(void)
{
	thread_1_reads(upcr_make(3, 0, UPCR_STATIC_OFFSET) + UPCR_SEGMENT);
}

/*
 * Who reads the last words takes a while, and tells in a file whether they are still there and the thread too. If within, the other
 * thread of the node is in a call of MPI when the end comes.
 */
static void slow_reader(const char *file, int within)
{
	const struct timespec while_nobody_reads = {0, 50000000};
	int words[2], ready[2];
	char c, text[100] = "";
	upcr_barrier(0, 0);
	if (within && upcr_thread == upcr_threads - 2) {
		extern volatile int upcr_in_mpi; /* the run-time's */
		upcr_in_mpi++;
		for (;;)
			pause();
	}
	if (upcr_thread == upcr_threads - 1 && pipe(words) == 0 && pipe(ready) == 0) {
		pid_t writer = getpid();
		if (fork() == 0) {
			struct pollfd some = {.fd = words[0], .events = POLLIN};
			setsid(); /* the launcher does not end it */
			for (int fd = 0; fd < 3; fd++)
				dup2(words[0], fd); /* nor wait for it */
			close(words[1]);
			close(ready[0]);
			close(ready[1]);
			poll(&some, 1, -1);
			nanosleep(&while_nobody_reads, NULL);
			int there = getppid() == writer;
			ssize_t n = read(words[0], text, sizeof text - 1);
			FILE *told = fopen(file, "w");
			fprintf(told, "%.*sthe writer is %s\n", (int)n, text, there ? "there" : "gone");
			_exit(fclose(told));
		}
		close(ready[1]);
		if (read(ready[0], &c, 1) == 0)
			dup2(words[1], STDERR_FILENO);
		dprintf(STDERR_FILENO, "last words\n");
		upc_global_exit(7);
	}
	upcr_barrier(0, 0);
}

int upcr_main(int argc, char **argv, char **envp)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} ways[] = {{"values", values}, {"wait-value", wait_value}, {"some-values", some_values}, {"notify-twice", notify_twice},
	            {"only-wait", only_wait}, {"end-in-phase", end_in_phase}, {"early", early}, {"exhaust-own", exhaust_own},
	            {"exhaust-all", exhaust_all}, {"free-twice", free_twice}, {"lock-twice", lock_twice}, {"unlock-other", unlock_other},
	            {"lock-freed", lock_freed}, {"attempt-freed", attempt_freed},
	            {"global-exit", global_exit}, {"exits", exits}, {"killed", killed}, {"heap", heap}, {"null", null_pointer}, {"wild", wild_pointer},
	            {"below", below}, {"beyond", beyond}, {"far-below", far_below}, {"far-beyond", far_beyond}};
	(void)envp;
	if (argc > 2)
		slow_reader(argv[2], !strcmp(argv[1], "slow-reader-in-mpi"));
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (argc > 1 && !strcmp(argv[1], ways[i].name))
			ways[i].run();
	return 0;
}
