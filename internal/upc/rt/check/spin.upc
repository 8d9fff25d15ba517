/*
 * Loops that wait for other threads by strict reads, or by upc_lock_attempt, and do nothing else. The compiler says
 * which these are. If all threads are in such loops, wait, or have ended, nobody is left who could write what a loop
 * reads, or release a lock.
 *
 * All are found to rest; later nobody has moved, and each loop has been through its condition since: at some moment
 * between, all threads rested at once, and what the loops read after it was written before.
 */
#include <stdlib.h>

#include "inner.h"

strict shared unsigned long upck_spinning[THREADS];

static strict shared int acts[THREADS]; /* something that is no UPC thread, in the process of this one */

static const struct upck_site *spins_at;
static unsigned long turns;
static double since;

/* All threads rested when this was written down. */
static unsigned long moves_then, *failures_then;
static int rested;

double upck_seconds_between_looks(void)
{
    return 0.5;
}

static int tries(int t)
{
    return t != MYTHREAD && (upck_spinning[t] || upck_tries[t]);
}

/* Those that try have done so twice: once at least from the beginning. */
static int all_have_tried(void)
{
    for (int t = 0; t < THREADS; t++)
        if (tries(t) && upck_failures[t] < failures_then[t] + 2)
            return 0;
    return 1;
}

int upck_all_stuck(void)
{
    static int reported; /* whoever asks reports what it hears, once */
    if (reported || (!failures_then && !(failures_then = calloc((size_t)THREADS, sizeof *failures_then))))
        return 0;
    int rest = upck_all_rest();
    unsigned long moves = upck_all_moves();
    if (rest && rested && moves == moves_then) {
        reported = all_have_tried() && upck_all_rest() && upck_all_moves() == moves;
        return reported;
    }
    rested = rest;
    moves_then = moves;
    for (int t = 0; rest && t < THREADS; t++)
        failures_then[t] = upck_failures[t];
    return 0;
}

void upck_something_acts(void)
{
    acts[MYTHREAD] = 1;
}

int upck_certain(void)
{
    for (int t = 0; t < THREADS; t++)
        if (acts[t])
            return 0;
    return upck_knows_what_acts();
}

static void begins(const struct upck_site *site)
{
    rested = 0;
    upck_set_status(UPCK_SPINNING, site, 0);
    upck_moves[MYTHREAD] = upck_moves[MYTHREAD] + 1;
    upck_spinning[MYTHREAD] = 1;
}

static void ends(void)
{
    if (upck_spinning[MYTHREAD]) {
        upck_moves[MYTHREAD] = upck_moves[MYTHREAD] + 1;
        upck_spinning[MYTHREAD] = 0;
        upck_set_status(UPCK_RUNNING, NULL, 0);
    }
    spins_at = NULL;
}

static void goes_on_spinning(const struct upck_site *site)
{
    static double looked;
    double now = upck_now();
    if (turns == 1 || site != spins_at) {
        spins_at = site;
        since = looked = now;
    }
    if (now - looked < upck_seconds_between_looks())
        return;
    looked = now;
    if (!upck_spinning[MYTHREAD])
        begins(site);
    else if ((now - since >= upck_livelock_seconds || upck_certain()) && upck_all_stuck())
        upck_spun(site);
}

int upck_spins(const struct upck_site *site, int goes_on)
{
    if (upck_without & UPCK_NO_DEADLOCKS)
        return goes_on;
    if (!goes_on) {
        turns = 0;
        if (spins_at)
            ends();
        return 0;
    }
    turns++;
    *(unsigned long *)&upck_failures[MYTHREAD] += 1;
    int kept = upck_patience();
    goes_on_spinning(site);
    upck_give_patience(kept);
    return 1;
}
