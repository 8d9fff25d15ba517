/*
 * Reports about threads that wait for each other's locks.
 */
#include <stdio.h>
#include <string.h>

#include "report.h"

static const struct upck_site *status_site(int thread)
{
    struct upck_status s;
    (void)upck_moves[thread];
    upc_memget(&s, &upck_statuses[thread], sizeof s);
    return upck_site_at(s.site);
}

/* What a lock is called where it is waited for, or held. */
static void name_of(char *to, size_t size, const struct upck_site *site)
{
    if (site && site->nargs && site->args && site->args[0].text)
        snprintf(to, size, "the lock `%s`", site->args[0].text);
    else
        snprintf(to, size, "a lock");
}

static const struct upck_site *holders_site(const struct upck_link *l)
{
    return upck_site_at(upck_held_sites[(size_t)l->next * UPCK_HELD + (size_t)l->index]);
}

static void say_link(struct upck_finding *f, const struct upck_link *l, const char *before)
{
    char lock[UPCK_KEY / 2], waits[UPCK_KEY], holds[UPCK_KEY];
    if (!l->want) {
        upck_say(f, "%sthread %d is %d collective operations ahead of thread %d and waits for it", before, l->thread,
                 UPCK_SLOTS - 1, l->next);
        return;
    }
    name_of(lock, sizeof lock, status_site(l->thread));
    upck_text_short(waits, sizeof waits, status_site(l->thread));
    upck_text_short(holds, sizeof holds, holders_site(l));
    upck_say(f, "%sthread %d %s %s (%s), which thread %d holds (since %s)", before, l->thread,
             l->tries ? "polls" : "waits for", lock, waits, l->next, holds);
}

static void put_declarations(const struct upck_chain *c)
{
    for (int i = c->from; i < c->n; i++)
        if (c->links[i].want && status_site(c->links[i].thread))
            upck_put_declarations(status_site(c->links[i].thread), 0);
}

static void say_chain(struct upck_finding *f, const struct upck_chain *c)
{
    char call[96], place[UPCK_KEY];
    const struct upck_site *last = status_site(c->last);
    for (int i = c->from; i < c->n; i++)
        say_link(f, &c->links[i], i == c->from ? "" : i == c->n - 1 && c->end == UPCK_ENDS_CYCLE ? ", and " : ", ");
    if (c->end == UPCK_ENDS_CYCLE) {
        upck_say(f, ".");
        return;
    }
    if (last)
        upck_text_call(call, sizeof call, last);
    upck_text_short(place, sizeof place, last);
    if (c->end == UPCK_ENDS_ENDED)
        upck_say(f, ", and thread %d has ended (%s, %s).", c->last, last ? call : "?", place);
    else
        upck_say(f, ", and thread %d is at %s (%s), where it waits for thread %d.", c->last, last ? call : "?", place,
                 c->missing);
}

static const char *id_of(const struct upck_chain *c)
{
    switch (c->end) {
    case UPCK_ENDS_CYCLE:
        return c->n - c->from <= 2 ? "LOCK-05" : "LOCK-06";
    case UPCK_ENDS_ENDED:
        return c->last == MYTHREAD ? "ENDT-03" : "LOCK-07";
    }
    if (c->last != MYTHREAD)
        return "LOCK-08";
    return upck_mine.last.op == UPCK_OP_BARRIER ? "BARR-06" : upck_mine.open ? "WAIT-05" : "LOCK-08";
}

static const char *hint_of(const struct upck_chain *c)
{
    switch (c->end) {
    case UPCK_ENDS_CYCLE:
        return "let all threads take the locks in the same order";
    case UPCK_ENDS_ENDED:
        return "call upc_unlock on every way to the end of the thread";
    }
    return "call upc_unlock before the collective operation";
}

void upck_stuck(struct upck_chain *c)
{
    struct upck_finding f = {.severity = "error", .code = UPCK_CODE_DEADLOCK, .thread = -1, .chain = c};
    upck_gate();
    upck_settle();
    if (!upck_stands(c)) { /* what was true cannot have changed, so it was not */
        upck_leave_gate();
        return;
    }
    f.id = id_of(c);
    f.hint = hint_of(c);
    upck_say(&f, "Deadlock of locks: ");
    say_chain(&f, c);
    upck_put_head(&f);
    put_declarations(c);
    upck_put_table();
    upck_put_calls();
    if (upck_goes_on)
        upck_put("  The program is ended because it cannot continue after a deadlock.\n");
    upck_tell(&f);
    upck_finish();
}

static void end_of_livelock(void)
{
    if (upck_goes_on)
        upck_put("  The program is ended because it cannot continue after a livelock.\n");
}

void upck_livelock(struct upck_chain *c, const struct upck_site *site, double seconds, int certain)
{
    struct upck_finding f = {.severity = certain ? "error" : "warning",
                             .code = UPCK_CODE_LIVELOCK,
                             .thread = -1,
                             .chain = c,
                             .hint = hint_of(c)};
    f.id = c->end == UPCK_ENDS_ENDED ? "LATT-05" : c->end == UPCK_ENDS_COLLECTIVE ? "LATT-06" : "LATT-07";
    upck_gate();
    if (certain) {
        upck_settle();
        if (!upck_stands(c)) {
            upck_leave_gate();
            return;
        }
        upck_say(&f,
                 "Livelock: thread %d calls upc_lock_attempt (%s) until it succeeds, and the lock cannot become free: ",
                 MYTHREAD, upck_spot(site));
    } else {
        upck_say(&f,
                 "Thread %d has called upc_lock_attempt (%s) without success for %g seconds, and the lock cannot "
                 "become free: ",
                 MYTHREAD, upck_spot(site), seconds);
    }
    say_chain(&f, c);
    upck_put_head(&f);
    put_declarations(c);
    upck_put_table();
    upck_put_calls();
    if (certain)
        end_of_livelock();
    upck_tell(&f);
    if (certain)
        upck_finish();
    upck_leave_gate();
}

void upck_spun(const struct upck_site *site)
{
    int certain = upck_certain(), polls = site->endless;
    struct upck_finding f = {.severity = certain ? "error" : "warning",
                             .code = UPCK_CODE_LIVELOCK,
                             .thread = -1,
                             .hint = polls ? "let the thread that has the lock release it before it waits"
                                           : "let a thread write the object before it waits, or before it ends"};
    upck_gate();
    upck_say(&f,
             "Livelock: thread %d is in %s (%s) until %s, and all other threads wait or have ended, so that none is "
             "left to %s.",
             MYTHREAD, site->call, upck_spot(site), polls ? "it succeeds" : "the value changes",
             polls ? "release the lock" : "write it");
    upck_put_head(&f);
    upck_put_table();
    upck_put_calls();
    if (certain)
        end_of_livelock();
    upck_tell(&f);
    if (certain)
        upck_finish();
    upck_leave_gate();
}
