/*
 * Who may report. A lock of the run-time's own decides, which the first one with an error that ends the program never
 * gives back. The report waits for threads that are about to arrive, so that its table is complete: until all wait or
 * have ended, or nobody has moved for a while. The thread that reports never continues, so nothing that waits for all
 * threads can end meanwhile.
 */
#include <stdio.h>
#include <time.h>

#include "report.h"

enum { LOOK_MILLIS = 5, FEWEST_LOOKS = 10 };
static const double quiet_seconds = 0.3, longest_seconds = 2;

static upc_lock_t *gate;
static strict shared char waits[THREADS]; /* 1 at the gate, which another thread has */

void upck_gate_start(void)
{
    gate = upck_gate_lock();
}

void upck_gate(void)
{
    unsigned step = 0;
    upck_give_patience(0); /* the program waits from here on */
    if (upc_lock_attempt(gate))
        return;
    waits[MYTHREAD] = 1;
    while (!upc_lock_attempt(gate))
        upck_pause(&step);
    waits[MYTHREAD] = 0;
}

void upck_leave_gate(void)
{
    upc_unlock(gate);
}

unsigned long upck_all_moves(void)
{
    unsigned long sum = 0;
    for (int t = 0; t < THREADS; t++)
        sum += upck_count[t] + upck_moves[t] + upck_blocked[t];
    return sum;
}

/*
 * The reporting thread has not carried out the operation that it is at, and a thread that has ended reaches no other
 * one.
 */
static int can_complete(unsigned long n)
{
    int doing = upck_statuses[MYTHREAD].doing;
    if (doing == UPCK_IN && !upck_mine.open && n + 1 == upck_mine.n)
        return 0;
    for (int t = 0; t < THREADS; t++)
        if (upck_count[t] <= n + (upck_blocked[t] == UPCK_HAS_ENDED))
            return 0;
    return 1;
}

/* A thread has ended, or waits for something that cannot come while nobody moves. */
static int rests(int t)
{
    unsigned long at = upck_blocked[t], want = upck_want[t], ahead = upck_ahead[t];
    int index;
    if (at == UPCK_HAS_ENDED || upck_spinning[t])
        return 1;
    if (!want && upck_tries[t]) {
        const struct upck_site *site = upck_site_at(upck_statuses[t].site);
        want = site && site->endless ? upck_tries[t] : 0;
    }
    if (want)
        return upck_find_holder(want, &index) >= 0;
    if (ahead)
        return UPCK_AHEAD_THREAD(ahead) < THREADS && upck_count[UPCK_AHEAD_THREAD(ahead)] < UPCK_AHEAD_COUNT(ahead);
    return at && !can_complete(at - 1);
}

/* reporting: this thread has the gate, so that those that wait there rest too. */
static int all_rest(int reporting)
{
    for (int t = 0; t < THREADS; t++)
        if (t != MYTHREAD && !(reporting && waits[t]) && !rests(t))
            return 0;
    return 1;
}

int upck_all_rest(void)
{
    return all_rest(0);
}

/* A look takes long where threads answer by messages and there are more of them than processors. */
void upck_settle(void)
{
    const struct timespec look = {0, LOOK_MILLIS * 1000000L};
    unsigned long before = upck_all_moves();
    double start = upck_now(), moved = start, now = start;
    for (int looks = 0, quiet = 0; looks < FEWEST_LOOKS || now - start < longest_seconds; looks++, now = upck_now()) {
        int rest = all_rest(1);
        unsigned long moves = upck_all_moves();
        quiet++;
        if (moves != before)
            moved = now, quiet = 0;
        else if (rest || (quiet > FEWEST_LOOKS && now - moved >= quiet_seconds))
            break;
        before = moves;
        nanosleep(&look, NULL);
    }
}

int upck_failed;

int upck_status(int own)
{
    return upck_failed ? UPCK_EXIT_FINDINGS : own;
}

void upck_finish(void)
{
    fflush(NULL);
    /* Launchers complain of a status other than 0, and unknot run has another. */
    upc_global_exit(upck_json_end(UPCK_EXIT_FINDINGS) ? 0 : UPCK_EXIT_FINDINGS);
}
