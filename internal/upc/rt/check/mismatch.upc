/*
 * Reports about collective operations that do not fit together: different ones, threads that have ended, upc_foralls
 * and arguments that differ.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/*
 * The last operation of which a difference was reported, so that only one of two neighbours reports it if the program
 * continues.
 */
static strict shared[] unsigned long reported[1];

static int kind_of(int op)
{
    return op == UPCK_OP_BARRIER ? UPCK_OP_NOTIFY : op;
}

static const char *id_of(int op, int ended)
{
    const struct upck_function *f = upck_function(op);
    if (op == UPCK_OP_BARRIER)
        return ended ? "BARR-02" : "BARR-01";
    if (op == UPCK_OP_NOTIFY)
        return "NTFY-03";
    return f ? f->deadlock : NULL;
}

static void end_unless_going_on(void)
{
    if (!upck_goes_on)
        upck_finish();
    upck_leave_gate();
}

/* All threads that have come to operation n, by what it is for them; the number of those that have ended. kinds: how
   many operations there are, as far as that is more than one. */
static int group_operations(unsigned long n, int *kinds)
{
    struct upck_record r;
    char call[96], place[UPCK_KEY];
    int ended = 0, first = -1;
    *kinds = 0;
    upck_groups_start();
    for (int t = 0; t < THREADS; t++) {
        if (!upck_record_of(t, n, &r))
            continue;
        const struct upck_site *site = upck_site_at(r.site);
        upck_text_call(call, sizeof call, site);
        upck_text_short(place, sizeof place, site);
        if (r.op == UPCK_OP_END)
            upck_group(t, "%s ended (%s, %s)", "have", call, place);
        else
            upck_group(t, "%s at %s (%s)", "are", call, place);
        ended += r.op == UPCK_OP_END;
        if (first < 0)
            first = kind_of(r.op);
        *kinds = 1 + (*kinds > 1 || kind_of(r.op) != first);
    }
    return ended;
}

static void say_groups(struct upck_finding *f)
{
    char members[UPCK_KEY];
    for (int g = 0; g < upck_groups(); g++) {
        int n = upck_group_members(g, members, sizeof members);
        const char *key = upck_group_key(g), *rest = strchr(key, ' ');
        const char *verb = n > 1 ? (key[0] == 'h' ? "have" : "are") : (key[0] == 'h' ? "has" : "is");
        upck_say(f, "%s%s %s%s", g == 0 ? "" : g == upck_groups() - 1 ? " and " : ", ", members, verb, rest);
    }
    upck_say(f, ".");
}

static void different_operations(const struct upck_record *mine, const struct upck_record *theirs, unsigned long n)
{
    struct upck_finding f = {.severity = "error", .code = UPCK_CODE_DEADLOCK, .thread = -1};
    const struct upck_record *waits = mine->op == UPCK_OP_END ? theirs : mine;
    char hint[400], call[96], place[UPCK_KEY];
    upck_gate();
    upck_settle();
    int kinds, ended = group_operations(n, &kinds);
    if (kinds < 2) {
        upck_leave_gate();
        return;
    }
    f.id = id_of(waits->op, ended);
    upck_say(&f, ended ? "Deadlock, because some threads have ended and others are at a collective operation: "
                       : "Deadlock, because threads are at different collective operations: ");
    say_groups(&f);
    upck_text_call(call, sizeof call, upck_site_at(waits->site));
    upck_text_short(place, sizeof place, upck_site_at(waits->site));
    snprintf(
        hint, sizeof hint,
        ended
            ? "all threads must reach %s at %s, or none; look for a branch on the way to it that depends on the thread"
            : "all threads must call the same collective operations in the same order; look for a branch before %s at "
              "%s "
              "that depends on the thread",
        call, place);
    f.hint = hint;
    upck_put_head(&f);
    upck_put_table();
    upck_put_calls();
    if (upck_goes_on)
        upck_put("  The program is ended because it cannot continue after a deadlock.\n");
    upck_tell(&f);
    upck_finish();
}

/* The words of a value. */
static void text_of(const struct upck_value *v, char *to, size_t size)
{
    double d;
    switch (v->kind) {
    case UPCK_INT:
        snprintf(to, size, "%lld", (long long)v->bits[0]);
        break;
    case UPCK_UNSIGNED:
        snprintf(to, size, "%llu", v->bits[0]);
        break;
    case UPCK_SHARED:
        if (v->bits[0] == 0 && v->bits[2] == 0)
            snprintf(to, size, "null");
        else
            snprintf(to, size, "(thread %llu, address 0x%llx)", v->bits[0], v->bits[2]);
        break;
    case UPCK_TEXT:
        snprintf(to, size, "\"%.16s\"", (const char *)&v->bits[1]);
        break;
    default:
        memcpy(&d, v->bits, sizeof d);
        snprintf(to, size, "%g", d);
    }
}

static int same(const struct upck_value *a, const struct upck_value *b)
{
    return a->arg == b->arg && a->kind == b->kind && a->bits[0] == b->bits[0] &&
           (a->kind == UPCK_SHARED || a->bits[1] == b->bits[1]) && a->bits[2] == b->bits[2];
}

/* "is 12 on threads 0, 2 and 16 on thread 1": the groups' keys begin with the value, before a tab. */
static void say_values(struct upck_finding *f)
{
    char members[UPCK_KEY];
    for (int g = 0; g < upck_groups(); g++) {
        const char *key = upck_group_key(g);
        upck_group_members(g, members, sizeof members);
        upck_say(f, "%s%.*s on %s",
                 g == 0                   ? ""
                 : g == upck_groups() - 1 ? " and "
                                          : ", ",
                 (int)strcspn(key, "\t"), key, members);
    }
    upck_say(f, ".");
}

/* "  12 on threads 0, 2: `n` at main (a.upc:3)", and the declarations. */
static void put_values(unsigned long n, int arg)
{
    struct upck_record r;
    char members[UPCK_KEY], place[UPCK_KEY];
    for (int g = 0; g < upck_groups(); g++) {
        const char *key = upck_group_key(g);
        upck_group_members(g, members, sizeof members);
        upck_put("  %.*s on %s", (int)strcspn(key, "\t"), key, members);
        if (upck_record_of(upck_group_first(g), n, &r)) {
            const struct upck_site *site = upck_site_at(r.site);
            upck_text_place(place, sizeof place, site);
            if (arg < site->nargs && site->args && site->args[arg].text)
                upck_put(": `%s` at %s\n", site->args[arg].text, place);
            else
                upck_put(": at %s\n", place);
            upck_put_declarations(site, arg);
        } else {
            upck_put("\n");
        }
    }
}

/* 0 if there is nothing to tell: what was compared has been written over. */
static int different_values(unsigned long n, int op, int arg)
{
    const struct upck_function *f = upck_function(op);
    struct upck_finding it = {.severity = "error", .code = UPCK_CODE_SINGLE_VALUED, .thread = -1};
    struct upck_record r;
    char value[UPCK_KEY / 2];
    it.values = calloc((size_t)THREADS, sizeof *it.values);
    upck_settle();
    upck_groups_start();
    for (int t = 0; t < THREADS; t++) {
        if (!upck_record_of(t, n, &r))
            continue;
        for (int i = 0; i < r.nvalues; i++)
            if (r.values[i].arg == arg) {
                const struct upck_site *site = upck_site_at(r.site);
                text_of(&r.values[i], value, sizeof value);
                upck_group(t, "%s\t%s\t%llx", value, upck_spot(site), r.values[i].bits[0]); /* texts may look alike */
                if (it.values)
                    strcpy(it.values[t], value);
            }
    }
    if (upck_groups() < 2) {
        free(it.values);
        return 0;
    }
    it.nth = arg + 1;
    it.argument = f && f->params ? f->params[arg] : "an argument";
    it.id = f && f->single ? f->single[arg] : NULL;
    it.hint = it.id ? upck_hint(it.id) : NULL;
    if (!it.hint)
        it.hint = "compute the argument from values that all threads have, or from a shared variable after a barrier";
    upck_say(&it, "The argument %s of %s must be the same on all threads, but is ", it.argument,
             f ? f->name : "a collective operation");
    say_values(&it);
    upck_put_head(&it);
    put_values(n, arg);
    upck_put_table();
    upck_put_calls();
    upck_tell(&it);
    free(it.values);
    return 1;
}

/*
 * The i-th upc_forall that a thread has run since the operation before a record; 0 if there is none, or it is not known
 * any more.
 */
static int loop_of(int thread, const struct upck_record *r, unsigned long i, struct upck_loop *to)
{
    unsigned long x = r->first_forall + i;
    if (x >= r->last_forall)
        return 0;
    upc_memget(to, &upck_loops[(size_t)thread * UPCK_FORALLS + x % UPCK_FORALLS], sizeof *to);
    return to->number == x && (to->hash || to->trips);
}

/* Which of the upc_foralls before an operation is the first that differs; -1 if none is known to. Loops at different
   places may be the same to the language; their hashes may be made in different ways. */
static long different_loop(int other, const struct upck_record *mine, const struct upck_record *theirs)
{
    unsigned long na = mine->last_forall - mine->first_forall, nb = theirs->last_forall - theirs->first_forall;
    struct upck_loop a, b;
    for (unsigned long i = 0; i < na && i < nb; i++)
        if (loop_of(MYTHREAD, mine, i, &a) && loop_of(other, theirs, i, &b) &&
            (a.trips != b.trips || (a.site == b.site && a.hash != b.hash)))
            return (long)i;
    return na == nb ? -1 : (long)(na < nb ? na : nb);
}

/* "The upc_forall at f (a.upc:3) has 12 iterations on thread 0, 11 on thread 1 and the one at g (a.upc:9) has 7 on
   thread 2": the groups' keys are the number and the place. */
static void say_trips(struct upck_finding *f)
{
    char members[UPCK_KEY];
    const char *place = NULL;
    for (int g = 0; g < upck_groups(); g++) {
        const char *key = upck_group_key(g), *here = strchr(key, '\t') + 1;
        int number = (int)strcspn(key, "\t"), again = place && strcmp(place, here) == 0;
        upck_group_members(g, members, sizeof members);
        if (g > 0)
            upck_say(f, g == upck_groups() - 1 ? " and " : ", ");
        if (!again)
            upck_say(f, g == 0 ? "The upc_forall at %s has " : "the one at %s has ", here);
        upck_say(f, g == 0 ? "%.*s iterations on %s" : "%.*s on %s", number, key, members);
        place = here;
    }
    upck_say(f, "; its condition must have the same values on all threads.");
}

static void say_affinities(struct upck_finding *f, const struct upck_loop *one)
{
    char members[UPCK_KEY], place[UPCK_KEY];
    upck_text_place(place, sizeof place, upck_site_at(one->site));
    upck_say(f, "The upc_forall at %s has different values of its condition or its affinity on ", place);
    for (int g = 0; g < upck_groups(); g++) {
        upck_group_members(g, members, sizeof members);
        upck_say(f, "%s%s", g == 0 ? "" : g == upck_groups() - 1 ? " and " : ", ", members);
    }
    upck_say(f, ", in the same %lu iterations.", one->trips);
}

/* The groups are the threads that have run the loop and those that have not. */
static void say_left_out(struct upck_finding *f, const struct upck_loop *one, const struct upck_site *next)
{
    char with[UPCK_KEY] = "", without[UPCK_KEY] = "", place[UPCK_KEY], before[UPCK_KEY];
    int several = 0, several_with = 0;
    for (int g = 0; g < upck_groups(); g++)
        if (upck_group_key(g)[0] == 'w')
            several_with = upck_group_members(g, with, sizeof with) > 1;
        else
            several = upck_group_members(g, without, sizeof without) > 1;
    upck_text_place(place, sizeof place, upck_site_at(one->site));
    upck_text_short(before, sizeof before, next);
    without[0] = 'T';
    upck_say(f, "%s %s not run the upc_forall at %s, which %s %s run before %s (%s).", without,
             several ? "have" : "has", place, with, several_with ? "have" : "has", next->call, before);
}

static int different_loops(int other, const struct upck_record *mine, const struct upck_record *theirs, unsigned long n,
                           unsigned long i)
{
    struct upck_finding f = {.severity = "error", .code = UPCK_CODE_SINGLE_VALUED, .thread = -1};
    struct upck_loop a, b, loop, one;
    struct upck_record r;
    char place[UPCK_KEY];
    int has_a = loop_of(MYTHREAD, mine, i, &a), has_b = loop_of(other, theirs, i, &b);
    one = has_a ? a : b;
    upck_settle();
    upck_groups_start();
    for (int t = 0; t < THREADS; t++) {
        if (!upck_record_of(t, n, &r))
            continue;
        int has = loop_of(t, &r, i, &loop);
        upck_text_place(place, sizeof place, has ? upck_site_at(loop.site) : NULL);
        if (!has_a || !has_b)
            upck_group(t, has ? "with" : "out");
        else if (has && a.trips != b.trips)
            upck_group(t, "%lu\t%s", loop.trips, place);
        else if (has)
            upck_group(t, "%lx", loop.hash);
    }
    if (upck_groups() < 2 &&
        (has_a || has_b || mine->last_forall - mine->first_forall == theirs->last_forall - theirs->first_forall))
        return 0;
    if (!has_a && !has_b) {
        f.id = "FORA-08";
        f.hint = "all threads run the same upc_forall loops";
        upck_text_short(place, sizeof place, upck_site_at(mine->site));
        upck_say(&f, "Thread %d has run %lu upc_forall loops and thread %d has run %lu before %s (%s).", MYTHREAD,
                 mine->last_forall - mine->first_forall, other, theirs->last_forall - theirs->first_forall,
                 upck_site_at(mine->site)->call, place);
    } else if (!has_a || !has_b) {
        f.id = "FORA-08";
        f.hint =
            "all threads run the same upc_forall loops; look for a branch on the way to it that depends on the thread";
        say_left_out(&f, &one, upck_site_at(mine->site));
    } else if (a.trips != b.trips) {
        f.id = "FORA-01";
        f.hint = "let the bounds be the same on all threads, and the affinity say which of them runs an iteration";
        say_trips(&f);
    } else {
        f.id = "FORA-03";
        f.hint = "let the affinity depend on the loop's variable and on nothing that differs between threads";
        say_affinities(&f, &one);
    }
    upck_put_head(&f);
    upck_put_table();
    upck_put_calls();
    upck_tell(&f);
    return 1;
}

void upck_mismatch(int other, unsigned long n)
{
    struct upck_record theirs, *mine = &upck_mine.last;
    int arg = -1;
    long loop = -1;
    if (!upck_record_of(other, n, &theirs))
        return;
    if (kind_of(mine->op) != kind_of(theirs.op)) {
        different_operations(mine, &theirs, n);
        return;
    }
    for (int i = 0; i < mine->nvalues && i < theirs.nvalues && arg < 0; i++)
        if (!same(&mine->values[i], &theirs.values[i]))
            arg = mine->values[i].arg;
    if (arg < 0 && (loop = different_loop(other, mine, &theirs)) < 0)
        return;
    upck_gate();
    int again = reported[0] == n + 1;
    if (!again)
        again = arg < 0 ? different_loops(other, mine, &theirs, n, (unsigned long)loop)
                        : different_values(n, mine->op, arg);
    if (!again) {
        upck_leave_gate();
        return;
    }
    reported[0] = n + 1;
    end_unless_going_on();
}

void upck_value_mismatch(unsigned long n, int a, int a_waits, int b, int b_waits)
{
    struct upck_finding f = {.severity = "error",
                             .code = UPCK_CODE_SINGLE_VALUED,
                             .thread = -1,
                             .argument = "value",
                             .hint = "give the same value on all threads, or none"};
    struct upck_record r;
    int some = 0, one = 0, differ = 0;
    f.values = calloc((size_t)THREADS, sizeof *f.values);
    upck_gate();
    if (reported[0] == n + 1) {
        free(f.values);
        end_unless_going_on();
        return;
    }
    upck_settle();
    upck_groups_start();
    for (int t = 0; t < THREADS; t++) {
        int waits = t == a ? a_waits : t == b ? b_waits : 0;
        if (!upck_record_of(t, n, &r) || !(waits ? r.wait_has : r.has))
            continue;
        const struct upck_site *site = upck_site_at(waits ? r.wait_site : r.site);
        if (!site)
            continue;
        int value = waits ? r.wait_value : r.value;
        if (!some++)
            one = value;
        differ |= value != one;
        upck_group(t, "%d (%s, %s)", value, site->call, upck_spot(site));
        if (f.values)
            snprintf(f.values[t], UPCK_KEY, "%d", value);
        if (t == b)
            f.id = waits ? "WAIT-03" : r.op == UPCK_OP_BARRIER ? "BARR-05" : "NTFY-04";
    }
    if (!differ) {
        free(f.values);
        upck_leave_gate();
        return;
    }
    reported[0] = n + 1;
    upck_say(&f, "The values of a barrier must be the same on all threads that give one, but there is ");
    say_values(&f);
    upck_put_head(&f);
    upck_put_table();
    upck_put_calls();
    upck_tell(&f);
    free(f.values);
    end_unless_going_on();
}
