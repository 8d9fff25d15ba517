#include "lu.h"
#include "flow_upc.h"
/* Each sweep has a flag for each row, which has the number of the step. */
static FLAGS shared[FLOW_MOST] int lower[THREADS][FLOW_MOST], upper[THREADS][FLOW_MOST];

/* Neighbours may still read the ghosts that are filled, so there is a barrier before, too. */
static void exchange(struct flow *f)
{
    upc_barrier;
    put_planes(f);
    upc_barrier;
}

static void pause_a_while(void)
{
    upc_fence;
    sched_yield();
}

static const double *incoming(struct flow *f, int way, int row, long count)
{
    const int from = way == UPWARDS ? MYTHREAD - 1 : MYTHREAD + 1;
    if (from < 0 || from == THREADS)
        return f->none;
    if (way == UPWARDS)
        while (lower[MYTHREAD][row] != f->turn)
            pause_a_while();
    else
        while (upper[MYTHREAD][row] != f->turn)
            pause_a_while();
    upc_fence;
    return inbox[way] + row * count;
}

static void outgoing(struct flow *f, int way, int row, const double *from, long count)
{
    const int to = way == UPWARDS ? MYTHREAD + 1 : MYTHREAD - 1;
    if (to < 0 || to == THREADS)
        return;
    upc_memput(inboxes[way][to] + row * count, from, (size_t)count * sizeof(double));
    upc_fence;
    if (way == UPWARDS)
        lower[to][row] = f->turn;
    else
        upper[to][row] = f->turn;
    upc_fence;
}

int main(int argc, char **argv)
{
    return solve(argc, argv, "lu", lu_class, 0, lu_step);
}
