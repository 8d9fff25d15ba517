/*
 * Who waits for whom. A thread that wants a lock waits for its holder; one that is too far ahead waits for its
 * neighbour; one in a synchronising collective operation waits for all that have not come to it. Everybody who begins
 * to wait looks, after it has said so by a strict write: the last thread of a deadlock to do that sees all of it. If a
 * deadlock goes through several collective operations, a part of it goes through one only (the one with the largest
 * number: whoever has not come to another has not come to that one either).
 *
 * The threads are read one by one while they may move on. So all that a chain is made of is read again afterwards: if
 * nobody in it has moved in between, all of it was true at one moment, and then nobody in it can move any more.
 */
#include <stdlib.h>

#include "inner.h"

static struct upck_chain chain;
static unsigned char *seen;

static int prepare(void)
{
    if (!chain.links && !(chain.links = malloc(((size_t)THREADS + 1) * sizeof *chain.links)))
        return 0;
    if (!seen && !(seen = malloc((size_t)THREADS)))
        return 0;
    return 1;
}

/* What thread t waits for becomes a link; 0 if it does not wait for one thread. id: see upck_deadlock. */
static int link_from(int t, unsigned long id, struct upck_link *l, int *free)
{
    *free = 0;
    l->thread = t;
    l->moves = upck_moves[t];
    l->want = upck_want[t];
    l->tries = 0;
    if (!l->want && id) {
        l->want = t == MYTHREAD ? id : upck_tries[t];
        l->tries = l->want != 0;
    }
    l->ahead = 0;
    l->index = -1;
    if (l->want) {
        l->next = upck_find_holder(l->want, &l->index);
        if (l->next < 0) {
            *free = 1;
            return 0;
        }
        /* Its moves are read before the lock is looked for again, so that the two belong together. */
        l->next_moves = upck_moves[l->next];
        *free = upck_held[(size_t)l->next * UPCK_HELD + (size_t)l->index] != l->want;
        return !*free;
    }
    l->ahead = upck_ahead[t];
    if (!l->ahead)
        return 0;
    l->next = UPCK_AHEAD_THREAD(l->ahead);
    return l->next < THREADS && upck_count[l->next] < UPCK_AHEAD_COUNT(l->ahead);
}

static void follow(int from, unsigned long id, struct upck_chain *c)
{
    int t = from, free;
    for (int i = 0; i < THREADS; i++)
        seen[i] = 0;
    c->n = 0;
    c->missing = -1;
    for (;;) {
        if (seen[t]) {
            c->end = UPCK_ENDS_CYCLE;
            for (c->from = 0; c->links[c->from].thread != t;)
                c->from++;
            c->last = t;
            return;
        }
        seen[t] = 1;
        c->last = t;
        if (!link_from(t, id, &c->links[c->n], &free))
            break;
        t = c->links[c->n++].next;
    }
    c->from = 0;
    c->at = upck_blocked[t];
    c->end = free                      ? UPCK_ENDS_FREE
             : c->at == UPCK_HAS_ENDED ? UPCK_ENDS_ENDED
             : c->at                   ? UPCK_ENDS_COLLECTIVE
                                       : UPCK_ENDS_RUNNING;
    c->at--;
}

/* Nobody in the chain has moved since it was followed. */
int upck_stands(const struct upck_chain *c)
{
    for (int i = c->from; i < c->n; i++) {
        const struct upck_link *l = &c->links[i];
        if (l->want) {
            if ((l->tries ? upck_tries[l->thread] : upck_want[l->thread]) != l->want)
                return 0;
            if (upck_held[(size_t)l->next * UPCK_HELD + (size_t)l->index] != l->want ||
                upck_moves[l->next] != l->next_moves)
                return 0;
        } else if (upck_ahead[l->thread] != l->ahead || upck_count[l->next] >= UPCK_AHEAD_COUNT(l->ahead)) {
            return 0;
        }
        if (upck_moves[l->thread] != l->moves)
            return 0;
    }
    return 1;
}

static int goes_to(const struct upck_chain *c, int thread)
{
    for (int i = 0; i < c->n; i++)
        if (c->links[i].next == thread)
            return 1;
    return 0;
}

/* A thread that has not come to operation n, and whose chain ends at x, which is in it and cannot leave it. */
static struct upck_chain *missing_at(int x, unsigned long n, unsigned long id, struct upck_chain *c)
{
    for (int t = 0; t < THREADS; t++) {
        if (t == x || upck_count[t] > n || !(upck_want[t] || upck_ahead[t] || (id && upck_tries[t])))
            continue;
        follow(t, id, c);
        if (c->end == UPCK_ENDS_COLLECTIVE && c->last == x && c->at == n && goes_to(c, x) && upck_stands(c) &&
            upck_count[t] <= n) {
            c->missing = t;
            return c;
        }
    }
    return NULL;
}

struct upck_chain *upck_deadlock(unsigned long id)
{
    struct upck_chain *c = &chain;
    if (THREADS == 1 || !prepare())
        return NULL;
    follow(MYTHREAD, id, c);
    switch (c->end) {
    case UPCK_ENDS_CYCLE:
    case UPCK_ENDS_ENDED:
        return upck_stands(c) ? c : NULL;
    case UPCK_ENDS_COLLECTIVE:
        if (upck_count[MYTHREAD] <= c->at && upck_stands(c)) {
            c->missing = MYTHREAD;
            return c;
        }
        return missing_at(c->last, c->at, id, c);
    }
    return NULL;
}

struct upck_chain *upck_waited_for(unsigned long n)
{
    struct upck_chain *c = &chain;
    if (THREADS == 1 || !prepare())
        return NULL;
    if (n != UPCK_HAS_ENDED)
        return missing_at(MYTHREAD, n, 0, c);
    for (int t = 0; t < THREADS; t++) {
        if (t == MYTHREAD || !(upck_want[t] || upck_ahead[t]))
            continue;
        follow(t, 0, c);
        if (c->end == UPCK_ENDS_ENDED && c->last == MYTHREAD && upck_stands(c))
            return c;
    }
    return NULL;
}
