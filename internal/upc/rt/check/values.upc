/*
 * Values of barriers (UPC 1.3, 6.6.1): all values given to the upc_notifies of a phase are equal, and so are those
 * given to its upc_waits, if any upc_notify has one. A thread without a value joins its neighbours: a run of such
 * threads stands between two that have one, and whoever comes last of all these compares the two ends, and the values
 * that threads of the run have given to upc_wait.
 */
#include "inner.h"

strict shared[] unsigned long upck_valued[UPCK_SLOTS];

/* What a thread has given in this phase; 0 if it has not come to it. */
static int given(int thread, unsigned long n, struct upck_record *r)
{
    int waits = upck_blocked[thread] == n + 1;
    if (!upck_record_of(thread, n, r))
        return 0;
    if (!waits)
        r->wait_has = 0;
    return 1;
}

/* From a thread on in one direction to the nearest one with a value for upc_notify; -1 if another comes first that
   is not there yet. Threads on the way whose upc_wait has another value are reported. */
static int nearest(unsigned long n, int step)
{
    struct upck_record r;
    for (int i = 1, t = MYTHREAD; i < THREADS; i++) {
        t = (t + step + THREADS) % THREADS;
        if (!given(t, n, &r))
            return -1;
        if (r.has)
            return t;
    }
    return -1;
}

static void waits_on_the_way(unsigned long n, int step, int valued, int value)
{
    struct upck_record r;
    for (int i = 1, t = MYTHREAD; i < THREADS; i++) {
        t = (t + step + THREADS) % THREADS;
        if (!given(t, n, &r) || r.has)
            return;
        if (r.wait_has && r.wait_value != value)
            upck_value_mismatch(n, valued, 0, t, 1);
    }
}

void upck_compare_values(unsigned long n)
{
    struct upck_record mine, l, r;
    if (!given(MYTHREAD, n, &mine))
        return;
    int left = nearest(n, THREADS - 1), right = nearest(n, 1);
    int has_left = left >= 0 && given(left, n, &l), has_right = right >= 0 && given(right, n, &r);
    int valued = mine.has ? MYTHREAD : has_left ? left : right;
    int value = mine.has ? mine.value : has_left ? l.value : has_right ? r.value : 0;
    if (valued < 0)
        return;
    if (has_left && l.value != value)
        upck_value_mismatch(n, valued, 0, left, 0);
    if (has_right && r.value != value)
        upck_value_mismatch(n, valued, 0, right, 0);
    if (mine.wait_has && mine.wait_value != value)
        upck_value_mismatch(n, valued, 0, MYTHREAD, 1);
    waits_on_the_way(n, THREADS - 1, valued, value);
    waits_on_the_way(n, 1, valued, value);
}
