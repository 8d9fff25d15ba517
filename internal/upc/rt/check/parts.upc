/*
 * Parts of files. With weak consistency, which files have unless UPC_STRONG_CA is asked for, what a thread has written
 * is visible to another one only after all have called upc_all_fsync or upc_all_fclose; and where several threads write
 * one part without that between, what is in it is undefined (UPC 1.3, optional libraries 7.8.1.3). No barrier helps, so
 * this is no matter of the order of accesses, only of what is between them in the sequence of collective operations,
 * which all threads have in common.
 *
 * Each thread keeps the parts that it has read and written since then where others can read them. At a reading or
 * writing it writes its own parts down, then the word that says so, and then looks at those of all others. Words are
 * strict, and have one order: so of two threads at least the one that comes later sees both parts, whichever it is, and
 * although nobody waits for anybody. When the phase is over on all threads, its parts are forgotten.
 *
 * There is room for some parts only. What has no room is compared with the parts of others, and nobody sees it later.
 */
#include "inner.h"

enum { CHANGING = 0xff, MOST_TRIES = 1000, MOST_WAITS = 400 };

/*
 * How many parts there are, or CHANGING, and above that the number of the operation in which that changed last; in one
 * it changes once.
 */
static strict shared unsigned long words[THREADS];
static shared[UPCK_PARTS] struct upck_file_part parts[UPCK_PARTS * THREADS];
static int used;

static struct upck_file_part *own(void)
{
    return (struct upck_file_part *)&parts[(size_t)MYTHREAD * UPCK_PARTS];
}

static void change(void)
{
    words[MYTHREAD] = upck_mine.n << 8 | CHANGING;
}

static void changed(void)
{
    words[MYTHREAD] = upck_mine.n << 8 | (unsigned long)used;
}

/* A thread that has begun an operation writes its parts down right after that, if it has any. */
static int is_about_to_write(int thread, unsigned long n)
{
    unsigned long word = words[thread];
    return upck_count[thread] >= n && (word >> 8 < n || (word & CHANGING) == CHANGING);
}

void upck_await_parts(unsigned long n)
{
    unsigned step = 0;
    int tries = 0;
    for (int t = 0; t < THREADS; t++)
        while (is_about_to_write(t, n) && tries++ < MOST_WAITS)
            upck_pause(&step);
}

/* The program may have written over them. */
static int is_sound(const struct upck_file_part *p)
{
    const struct upck_site *site = upck_site_at(p->site);
    return site && upck_function_named(site->call) && p->from >= 0 && p->from < p->end;
}

static int sound(struct upck_file_part *all, int n)
{
    int kept = 0;
    for (int i = 0; i < n; i++)
        if (is_sound(&all[i]))
            all[kept++] = all[i];
    return kept;
}

int upck_parts_of(int thread, struct upck_file_part *to)
{
    unsigned step = 0;
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        unsigned long word = words[thread], n = word & CHANGING;
        if (n == 0)
            return 0;
        if (n <= UPCK_PARTS) {
            upc_memget(to, &parts[(size_t)thread * UPCK_PARTS], n * sizeof *to);
            if (words[thread] == word)
                return sound(to, (int)n);
        }
        upck_pause(&step);
    }
    return 0;
}

/*
 * One part continues where another ends. As long as the file is only written, or only read, nobody needs to know which
 * of the operations it was.
 */
static int goes_on(const struct upck_file_part *old, const struct upck_file_part *new)
{
    return old->phase == new->phase && old->turn == new->turn && old->site == new->site && old->end == new->from;
}

static void keep(const struct upck_file_part *p)
{
    struct upck_file_part *all = own();
    for (int i = 0; i < used; i++)
        if (goes_on(&all[i], p)) {
            all[i].n = p->n;
            all[i].end = p->end;
            return;
        }
    if (used < UPCK_PARTS)
        all[used++] = *p;
}

void upck_untouched(unsigned long phase)
{
    struct upck_file_part *all = own();
    int kept = 0;
    for (int i = 0; i < used; i++)
        kept += all[i].phase != phase;
    if (kept == used)
        return;
    change();
    kept = 0;
    for (int i = 0; i < used; i++)
        if (all[i].phase != phase)
            all[kept++] = all[i];
    used = kept;
    changed();
}

/* A write after a read is not reported as an error: the read may not see it, wherever it is carried out. */
static int meet(const struct upck_file_part *a, const struct upck_file_part *b)
{
    if (a->phase != b->phase || a->from >= b->end || b->from >= a->end)
        return 0;
    return a->writing ? b->writing || a->n < b->n : b->writing && b->n < a->n;
}

static struct upck_file_part part_of(const struct upck_site *site, const struct upck_touch *t,
                                     const struct upck_range *r)
{
    return (struct upck_file_part){.phase = t->phase,
                                   .n = upck_mine.n,
                                   .from = r->from,
                                   .end = r->end,
                                   .site = upck_place(site),
                                   .turn = (unsigned)t->turn,
                                   .writing = t->writing};
}

/* Compares the ranges with the parts of another thread; 1 if there has been a report. */
static int compare(const struct upck_site *site, const struct upck_touch *t, const struct upck_range *ranges, int n,
                   int other)
{
    struct upck_file_part theirs[UPCK_PARTS];
    int m = upck_parts_of(other, theirs);
    for (int i = 0; i < n; i++) {
        struct upck_file_part mine = part_of(site, t, &ranges[i]);
        for (int k = 0; k < m; k++)
            if (meet(&mine, &theirs[k])) {
                upck_unsynced(t->file, &mine, other, &theirs[k]);
                return 1;
            }
    }
    return 0;
}

void upck_touches(const struct upck_site *site, const struct upck_touch *t, const struct upck_range *ranges, int n)
{
    if (THREADS == 1 || n == 0 || (upck_without & UPCK_NO_DEADLOCKS))
        return;
    int kept = upck_patience(), reported = 0;
    change();
    for (int i = 0; i < n; i++) {
        struct upck_file_part mine = part_of(site, t, &ranges[i]);
        keep(&mine);
    }
    changed();
    for (int i = 1; i < THREADS && !reported; i++)
        reported = compare(site, t, ranges, n, (MYTHREAD + i) % THREADS);
    upck_give_patience(kept);
}
