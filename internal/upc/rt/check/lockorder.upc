/*
 * The order in which threads take two locks, for whoever asks for what is legal: one takes a second lock while it holds
 * a first one, and another takes the first while it holds the second. Both hold both locks when they write that down
 * and look what others have written, so the later one finds it, and what it reads does not change meanwhile.
 *
 * Nothing is reported if a collective operation came between, or if both held a third lock besides: then the threads
 * could not have met. Nor if a lock has been freed between, whose place another one may have now.
 */
#include "inner.h"

enum { EDGES = 64, GUARDS = 6 };

/* Lock taken was taken while lock held was held, and the guards. */
struct edge {
    unsigned long held, taken, n, frees;
    unsigned long guards[GUARDS];
    long held_site, taken_site;
    int nguards;
};

/* A thread's edges, in memory that it allocates when it has the first one: who does not ask pays nothing. */
typedef shared[] struct edge *edge_list;
static strict shared edge_list lists[THREADS];
static strict shared unsigned long known[THREADS], frees[THREADS];

void upck_lock_order_ends(void)
{
    if (upck_suspicious())
        frees[MYTHREAD] = frees[MYTHREAD] + 1;
}

static unsigned long all_frees(void)
{
    unsigned long n = 0;
    for (int t = 0; t < THREADS; t++)
        n += frees[t];
    return n;
}

/* Another lock that both held. */
static int share_a_guard(const struct edge *a, const struct edge *b)
{
    for (int i = 0; i < a->nguards; i++)
        for (int k = 0; k < b->nguards; k++)
            if (a->guards[i] == b->guards[k])
                return 1;
    return 0;
}

static void look_at(int thread, const struct edge *mine, const struct upck_site *site)
{
    int n = (int)known[thread];
    edge_list list = n ? lists[thread] : NULL;
    for (int i = 0; i < n; i++) {
        struct edge its;
        upc_memget(&its, list + i, sizeof its);
        if (its.held != mine->taken || its.taken != mine->held || its.n != mine->n || its.frees != mine->frees ||
            share_a_guard(mine, &its))
            continue;
        const struct upck_site *held = upck_site_at(mine->held_site), *first = upck_site_at(its.held_site),
                               *second = upck_site_at(its.taken_site);
        if (held && first && second)
            upck_wrong(site, "LOCK-10", UPCK_WARNING, 0,
                       "ptr is taken while the lock of %s is held, and thread %d took it first (%s), and then the "
                       "other one (%s)",
                       upck_spot(held), thread, upck_spot(first), upck_spot(second));
        return;
    }
}

/* Writes an edge down, in the place of the one with the same locks if there is one. */
static void write_down(const struct edge *e)
{
    edge_list list = lists[MYTHREAD];
    if (!list) {
        list = upc_alloc(EDGES * sizeof *e);
        if (!list)
            return;
        lists[MYTHREAD] = list;
    }
    struct edge *mine = (struct edge *)list;
    int n = (int)known[MYTHREAD], i = 0;
    while (i < n && (mine[i].held != e->held || mine[i].taken != e->taken))
        i++;
    if (i == EDGES)
        return;
    mine[i] = *e;
    upc_fence;
    if (i == n)
        known[MYTHREAD] = (unsigned long)n + 1;
}

void upck_lock_order(const struct upck_site *site, unsigned long taken)
{
    int top = (int)upck_top[MYTHREAD];
    size_t own = (size_t)MYTHREAD * UPCK_HELD;
    if (!upck_suspicious() || !upck_mine.held || THREADS == 1)
        return;
    unsigned long freed = all_frees();
    long place = upck_place(site);
    for (int i = 0; i < top; i++) {
        struct edge e = {.held = upck_held[own + (size_t)i],
                         .taken = taken,
                         .n = upck_mine.n,
                         .frees = freed,
                         .held_site = upck_held_sites[own + (size_t)i],
                         .taken_site = place};
        int others = 0;
        for (int k = 0; k < top; k++)
            if (k != i && upck_held[own + (size_t)k] && others++ < GUARDS)
                e.guards[e.nguards++] = upck_held[own + (size_t)k];
        if (!e.held || others > GUARDS)
            continue;
        write_down(&e);
        for (int t = 0; t < THREADS; t++)
            if (t != MYTHREAD)
                look_at(t, &e, site);
    }
}
