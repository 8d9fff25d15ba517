/* How bt.upc and sp.upc hand rows over: a flag for each row and way, which has the number of the sweep. */
static FLAGS shared[2 * FLOW_MOST] int flags[THREADS][2 * FLOW_MOST];

/* One thread sets a flag ... */
static void signal_row(int thread, int flag, int turn)
{
    upc_fence;
    flags[thread][flag] = turn;
    upc_fence;
}

/* ... that another one waits for. */
static void await_row(int flag, int turn)
{
    while (flags[MYTHREAD][flag] != turn) {
        upc_fence;
        sched_yield();
    }
    upc_fence;
}

static const double *incoming(struct flow *f, int way, int row, long count)
{
    const int from = way == UPWARDS ? MYTHREAD - 1 : MYTHREAD + 1;
    if (from < 0 || from == THREADS)
        return f->none;
    await_row(way * FLOW_MOST + row, f->turn);
    return inbox[way] + row * count;
}

static void outgoing(struct flow *f, int way, int row, const double *from, long count)
{
    const int to = way == UPWARDS ? MYTHREAD + 1 : MYTHREAD - 1;
    if (to < 0 || to == THREADS)
        return;
    upc_memput(inboxes[way][to] + row * count, from, (size_t)count * sizeof(double));
    signal_row(to, way * FLOW_MOST + row, f->turn);
}
