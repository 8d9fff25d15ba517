/*
 * The report about parts of a file that several threads write, or that one reads after another has written them,
 * without anything between that makes data in files visible to other threads.
 */
#include <stdio.h>
#include <stdlib.h>

#include "report.h"

/*
 * The last operation that was reported, so that only one of the threads that take part in it reports it if the program
 * continues.
 */
static strict shared[] unsigned long reported[1];

/* What is reported: the bytes that two parts have in common, and, if these are read, who has written them. */
struct overlap {
    unsigned long phase;
    long long from, end;
    int writer; /* -1 if all write */
    struct upck_file_part written;
};

/*
 * A part that has all these bytes: one that is written if all write them, else one that is read after they were
 * written.
 */
static int belongs(const struct overlap *o, const struct upck_file_part *p)
{
    int has = p->phase == o->phase && p->from <= o->from && p->end >= o->end;
    return has && (o->writer < 0 ? p->writing : !p->writing && p->n > o->written.n);
}

static void text_of(char *to, size_t size, const struct upck_file_part *p)
{
    char call[96], place[UPCK_KEY / 2];
    const struct upck_site *site = upck_site_at(p->site);
    upck_text_call(call, sizeof call, site);
    upck_text_short(place, sizeof place, site);
    snprintf(to, size, "%s (%s)", call, place);
}

static void bytes_of(char *to, size_t size, const struct overlap *o)
{
    if (o->end - o->from == 1)
        snprintf(to, size, "%lld", o->from);
    else
        snprintf(to, size, "%lld-%lld", o->from, o->end - 1);
}

static void add_thread(int t, const struct upck_file_part *p)
{
    char text[UPCK_KEY];
    text_of(text, sizeof text, p);
    upck_group(t, "%s", text);
}

/* Groups the threads that write, or else read, these bytes, by where they do so. The two that have met are among
   them, whatever has been forgotten since. */
static void group_threads(const struct overlap *o, const struct upck_file_part *mine, int other,
                          const struct upck_file_part *theirs)
{
    struct upck_file_part parts[UPCK_PARTS];
    upck_groups_start();
    for (int t = 0; t < THREADS; t++) {
        if (t == o->writer)
            continue;
        if (t == MYTHREAD || t == other) {
            add_thread(t, t == MYTHREAD ? mine : theirs);
            continue;
        }
        int n = upck_parts_of(t, parts), i = 0;
        while (i < n && !belongs(o, &parts[i]))
            i++;
        if (i < n)
            add_thread(t, &parts[i]);
    }
}

/* "Bytes 0-7 of the file "data" are written by thread 0 at CALL (a.upc:5) and read by threads 1, 2 at CALL (a.upc:7)
   and by thread 3 at CALL (a.upc:9)". */
static void say_who(struct upck_finding *f, const struct overlap *o, const char *file)
{
    char members[UPCK_KEY], bytes[64], text[UPCK_KEY];
    int one = o->end - o->from == 1;
    bytes_of(bytes, sizeof bytes, o);
    upck_say(f, "Byte%s %s of the file \"%s\" %s written ", one ? "" : "s", bytes, file, one ? "is" : "are");
    if (o->writer >= 0) {
        text_of(text, sizeof text, &o->written);
        upck_say(f, "by thread %d at %s and read ", o->writer, text);
    }
    for (int g = 0; g < upck_groups(); g++) {
        upck_group_members(g, members, sizeof members);
        upck_say(f, "%sby %s at %s", g == 0 ? "" : g == upck_groups() - 1 ? " and " : ", ", members, upck_group_key(g));
    }
    upck_say(f, ", without upc_all_fsync or upc_all_fclose between.");
}

/* Of each thread whether it is named; null without memory. */
static char *named_threads(const struct overlap *o)
{
    char *named = calloc((size_t)THREADS, 1);
    for (int t = 0; named && t < THREADS; t++)
        named[t] = t == o->writer || upck_in_group(t);
    return named;
}

static void put_report(const char *file, const struct upck_file_part *mine, int other,
                       const struct upck_file_part *theirs)
{
    const struct upck_file_part *later = mine->n < theirs->n ? theirs : mine;
    struct overlap o = {.phase = mine->phase,
                        .from = mine->from > theirs->from ? mine->from : theirs->from,
                        .end = mine->end < theirs->end ? mine->end : theirs->end,
                        .writer = -1};
    struct upck_finding f = {.severity = "error",
                             .code = UPCK_CODE_RACE,
                             .thread = -1,
                             .id = upck_function_named(upck_site_at(later->site)->call)->part};
    char *named;
    if (mine->writing != theirs->writing) {
        o.writer = mine->writing ? MYTHREAD : other;
        o.written = mine->writing ? *mine : *theirs;
    }
    f.hint = f.id ? upck_hint(f.id) : NULL;
    group_threads(&o, mine, other, theirs);
    say_who(&f, &o, file);
    f.named = named = named_threads(&o);
    upck_put_head(&f);
    upck_put_table();
    upck_put_calls();
    upck_tell(&f);
    free(named);
}

void upck_unsynced(const char *file, const struct upck_file_part *mine, int other, const struct upck_file_part *theirs)
{
    unsigned long n = mine->n < theirs->n ? theirs->n : mine->n;
    upck_gate();
    if (reported[0] != n) {
        upck_settle();
        upck_await_parts(n);
        put_report(file, mine, other, theirs);
        reported[0] = n;
        if (!upck_goes_on)
            upck_finish();
    }
    upck_leave_gate();
}
