/*
 * The flow problems in UPC: what bt.upc, lu.upc and sp.upc share. u and r lie in a thread's shared memory and are used
 * by pointers-to-local; neighbours put planes and rows there.
 */
#include <upc.h>
#include <sched.h>

/*
 * What sets and awaits a flag. A relaxed flag is a race, and so is what it hands over, for whoever goes by the rules of
 * UPC: with the fences around it is as good as a strict one. -DFLAGS=strict makes it one.
 */
#ifndef FLAGS
#define FLAGS relaxed
#endif

static shared[] double *shared us[THREADS], *shared inboxes[2][THREADS];
static shared double squares[2][THREADS];
static double *inbox[2];

static double *allocate(shared[] double *shared *where, long count)
{
    *where = upc_alloc((size_t)count * sizeof(double));
    memset((double *)*where, 0, (size_t)count * sizeof(double));
    return (double *)*where;
}

/* Puts the planes at both ends of a thread's part into the ghosts of its neighbours. */
static void put_planes(struct flow *f)
{
    const size_t two = 10 * (size_t)flow_plane(f) * sizeof(double);
    if (MYTHREAD > 0) {
        const int n = f->n - 2, planes = (int)(part(n, MYTHREAD, THREADS) - part(n, MYTHREAD - 1, THREADS));
        upc_memput(us[MYTHREAD - 1] + 5 * flow_at(f, planes + 1, 0, 0), f->u + 5 * flow_at(f, 1, 0, 0), two);
    }
    if (MYTHREAD < THREADS - 1)
        upc_memput(us[MYTHREAD + 1], f->u + 5 * flow_at(f, f->planes - 1, 0, 0), two);
}

/* The squares of residual and error, summed over all threads; r is lost. */
static void norms(struct flow *f, double *sums)
{
    double mine[2];
    exchange(f);
    flow_states(f);
    flow_residual(f, 1);
    flow_squares(f, mine);
    squares[0][MYTHREAD] = mine[0];
    squares[1][MYTHREAD] = mine[1];
    upc_barrier;
    sums[0] = sums[1] = 0;
    for (int t = 0; t < THREADS; t++) {
        sums[0] += squares[0][t];
        sums[1] += squares[1][t];
    }
}

/* Solves a class of a problem, the first step twice. */
static int solve(int argc, char **argv, const char *name, struct flow_class (*of)(char), int work,
                 void (*step)(struct flow *))
{
    const char class = class_of(argc, argv);
    const struct flow_class c = of(class);
    if (!flow_fits(name, class, &c, THREADS, MYTHREAD))
        return 2;
    static shared[] double *shared rs[THREADS];
    struct flow f;
    flow_part(&f, &c, THREADS, MYTHREAD, work);
    f.u = allocate(&us[MYTHREAD], 5 * flow_points(&f));
    f.r = allocate(&rs[MYTHREAD], 5 * flow_points(&f));
    for (int way = 0; way < 2; way++)
        inbox[way] = allocate(&inboxes[way][MYTHREAD], c.n * FLOW_ROW);
    flow_source(&f);
    double before[2], after[2];
    flow_fill(&f, 0.1);
    norms(&f, before);
    step(&f);
    flow_fill(&f, 0.1);
    upc_barrier;
    const double start = seconds();
    for (int k = 0; k < f.steps; k++)
        step(&f);
    norms(&f, after);
    if (MYTHREAD == 0) {
        if (argc > 2)
            printf("residual %.13e, error %.13e, at first %.3e and %.3e\n", flow_norm(&f, after[0]),
                   flow_norm(&f, after[1]), flow_norm(&f, before[0]), flow_norm(&f, before[1]));
        report(name, class, THREADS, seconds() - start, flow_verify(&f, &c, before, after));
    }
    return 0;
}
