// What the threads of a parallel region of OpenMP are at, as far as that orders them: the team, and the task that each
// of its threads runs. Its implicit tasks begin and end in order_openmp.c, those that the program makes in
// order_tasks.c.
//
// Runs: wherever the program calls what orders threads of OpenMP.
//
// Never: keeps anything beyond the end of the region.
#ifndef UK_ORDER_OPENMP_H
#define UK_ORDER_OPENMP_H

#include "process/order.h"

// Where tasks leave what they know at their end, for whoever waits for all of them: a taskwait, or the end of a
// taskgroup.
struct uk_join {
    bool news; // something was left since that was taken
    uk_lock_t lock;
    struct uk_join *outer;        // of a taskgroup: the one around it
    struct uk_join *unused, *all; // the next of these
    struct uk_clock clock;
};

// A team: the threads of a parallel region, which is on the stack of the one that has begun it.
struct uk_team {
    uintptr_t *reductions; // first in the data of a region with reductions in tasks, where libgomp reads it
    void (*run)(void *);
    void *data;
    uk_lock_t lock;
    bool counted;
    bool vague; // who waits for some tasks of the team may wait for any
    struct uk_clock begin, end;
    // What tasks knew at their end that were run in a barrier, by turns, as the next one may begin before all have left.
    struct uk_clock ended[2];
    struct uk_join *unused, *all;
    unsigned joins;
};

// The task that a thread is at.
struct uk_task {
    struct uk_team *team;
    struct uk_task *implicit; // of this thread and team; NULL in the barrier at the end of the region
    unsigned barriers;        // of an implicit task: how many it has passed
    bool in_barrier;
    struct uk_join *children; // of its child tasks, NULL if it has had none
    bool awaits;              // some of them have been made since the last taskwait
    struct uk_join *group;    // the innermost that it is in
    // Of an implicit task: what its thread may use again, now and behind the next barrier.
    struct uk_join *unused, *later;
    unsigned spare;
};

extern __thread struct uk_task *uk_order_task __attribute__((tls_model("initial-exec")));

// At the end of a task, and of the region.
void uk_order_leaves(struct uk_task *);
void uk_order_region_ends(struct uk_team *);
// A barrier of the team, which completes its tasks.
unsigned uk_order_waits(struct uk_task *implicit);
void uk_order_completes(struct uk_task *implicit, unsigned arrival);

#endif
