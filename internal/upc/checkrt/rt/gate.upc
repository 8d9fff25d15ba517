/*
 * Who may report. A lock of the run-time's own decides, which the first one with an error that ends the program never gives back. The report
 * waits for threads that are about to arrive, so that its table is complete; the thread that reports never goes on, so nothing that
 * waits for all threads can end meanwhile.
 */
#include <stdio.h>
#include <time.h>

#include "report.h"

enum { STATUS = 66, LOOK_MILLIS = 5, QUIET_MILLIS = 100, LONGEST_MILLIS = 2000 };

static upc_lock_t *gate;

void upck_gate_start(void)
{
	gate = upc_all_lock_alloc();
}

void upck_gate(void)
{
	unsigned step = 0;
	upck_give_patience(0); /* the program waits from here on */
	while (!upc_lock_attempt(gate))
		upck_pause(&step);
}

void upck_leave_gate(void)
{
	upc_unlock(gate);
}

/* What changes when anybody gets anywhere. */
static unsigned long all_moves(void)
{
	unsigned long sum = 0;
	for (int t = 0; t < THREADS; t++)
		sum += upck_count[t] + upck_moves[t] + upck_blocked[t];
	return sum;
}

void upck_settle(void)
{
	const struct timespec look = {0, LOOK_MILLIS * 1000000L};
	unsigned long before = all_moves();
	for (int quiet = 0, all = 0; quiet < QUIET_MILLIS && all < LONGEST_MILLIS; quiet += LOOK_MILLIS, all += LOOK_MILLIS) {
		nanosleep(&look, NULL);
		unsigned long now = all_moves();
		if (now != before)
			quiet = 0;
		before = now;
	}
}

void upck_finish(void)
{
	fflush(NULL);
	/* Launchers complain of a status other than 0, and unknot run has one of its own. */
	upc_global_exit(upck_json_end(STATUS) ? 0 : STATUS);
}
