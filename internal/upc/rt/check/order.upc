/*
 * A thread's own order of operations: upc_notify and upc_wait in turn with no collective operation between them, and
 * none in the body of a controlling upc_forall (UPC 1.3, 6.6.1, 6.6.2). Then collective operations, statements and ends
 * go into the ring.
 */
#include <stdlib.h>
#include <string.h>

#include "inner.h"

static void not_in_region(const struct upck_site *site, const char *id)
{
    const struct upck_site *loop;
    if (upck_in_region(&loop))
        upck_wrong(site, id, UPCK_ERROR, -1,
                   "it is in the body of the upc_forall at %s, whose iterations run on one thread each",
                   upck_spot(loop));
}

static void not_between(const struct upck_site *site, const char *id)
{
    if (upck_mine.open)
        upck_wrong(site, id, UPCK_ERROR, -1, "it comes between the upc_notify at %s and its upc_wait",
                   upck_spot(upck_mine.notified));
}

void upck_collective(const struct upck_site *site, int op, int sync, int n, const struct upck_value *values)
{
    struct upck_record r;
    upck_record_for(&r, op, sync);
    if (upck_forall_depth() > 0 || upck_mine.open) {
        const struct upck_function *f = upck_function(op);
        not_in_region(site, f ? f->region : NULL);
        not_between(site, f ? f->order : NULL);
    }
    r.nvalues = n < UPCK_VALUES ? n : UPCK_VALUES;
    memcpy(r.values, values, (size_t)r.nvalues * sizeof *values);
    upck_begin(site, &r);
}

static void notify(const struct upck_site *site, int op, int has, int value)
{
    struct upck_record r;
    upck_record_for(&r, op, op == UPCK_OP_BARRIER);
    r.has = has != 0;
    r.value = value;
    upck_begin(site, &r);
}

static const char is_collective[] = "executes a collective operation";

void upck_barrier(const struct upck_site *site, int has, int value)
{
    upck_within(site, is_collective);
    not_in_region(site, "BARR-04");
    not_between(site, "BARR-03");
    notify(site, UPCK_OP_BARRIER, has, value);
    /* A run-time that compares values itself would end the program before the report. */
    if (has && upck_without & UPCK_NO_DEADLOCKS)
        upc_barrier value;
    else
        upc_barrier;
    upck_done();
}

void upck_notify(const struct upck_site *site, int has, int value)
{
    upck_within(site, is_collective);
    not_in_region(site, "NTFY-02");
    if (upck_mine.open)
        upck_wrong(site, "NTFY-01", UPCK_ERROR, -1, "the upc_notify at %s has not been followed by a upc_wait yet",
                   upck_spot(upck_mine.notified));
    notify(site, UPCK_OP_NOTIFY, has, value);
    if (has && upck_without & UPCK_NO_DEADLOCKS)
        upc_notify value;
    else
        upc_notify;
    upck_done();
    upck_mine.open = 1;
    upck_mine.notified = site;
}

/*
 * The record of the upc_notify gets the value of the upc_wait; nobody can be a slot's length ahead, since the phase is
 * open.
 */
void upck_wait(const struct upck_site *site, int has, int value)
{
    unsigned long n = upck_mine.n - 1;
    upck_within(site, is_collective);
    if (upck_without & UPCK_NO_DEADLOCKS) {
        if (has)
            upc_wait value;
        else
            upc_wait;
        upck_mine.open = 0;
        return;
    }
    struct upck_record *r = upck_own_record(n);
    not_in_region(site, "WAIT-02");
    if (!upck_mine.open) {
        upck_wrong(site, "WAIT-01", UPCK_ERROR, -1, "no upc_notify came before it");
        return;
    }
    if (r->n != n) { /* the upc_notify was not seen */
        upc_wait;
        upck_mine.open = 0;
        return;
    }
    if (has && r->has && r->value != value)
        upck_wrong(site, "WAIT-04", UPCK_ERROR, 0, "value is %d, but the upc_notify at %s has %d", value,
                   upck_spot(upck_mine.notified), r->value);
    r->wait_value = value;
    r->wait_site = upck_place(site);
    r->wait_has = has && !r->has;
    upck_set_status(UPCK_IN, site, 0);
    upck_mine.blocked = 1;
    upck_blocked[MYTHREAD] = n + 1;
    if (THREADS > 1) {
        if (r->wait_has && upck_valued[n % UPCK_SLOTS] == n + 1)
            upck_compare_values(n);
        struct upck_chain *chain = upck_holds_any() ? upck_waited_for(n) : NULL;
        if (chain)
            upck_stuck(chain);
    }
    upc_wait;
    upck_mine.open = 0;
    upck_done();
}

void upck_leave(const struct upck_site *site)
{
    upck_mine.leaving = site;
}

void upck_end(void)
{
    static int ended;
    static const struct upck_site end = {.call = "end of main", .file = NULL};
    const struct upck_site *site = upck_mine.leaving ? upck_mine.leaving : &end, *loop;
    struct upck_record r;
    upck_record_for(&r, UPCK_OP_END, 0);
    if (ended++)
        return;
    if (upck_in_region(&loop))
        upck_wrong(site, "FORA-16", UPCK_ERROR, -1, "the thread ends in the body of the upc_forall at %s",
                   upck_spot(loop));
    if (upck_mine.open)
        upck_wrong(site, "ENDT-02", UPCK_ERROR, -1, "the upc_notify at %s has not been followed by a upc_wait",
                   upck_spot(upck_mine.notified));
    if (!(upck_without & UPCK_NO_ARGUMENTS))
        upck_ledger_end();
    upck_still_held(site); /* before others can see that this thread has ended, and end the program */
    upck_begin(site, &r);
    upck_waited_for_at_end();
}

void upck_exit(const struct upck_site *site, int status)
{
    upck_leave(site);
    upck_end();
    exit(upck_status(status));
}

int upck_notified(void)
{
    return upck_mine.open;
}
