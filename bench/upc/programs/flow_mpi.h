/* The flow problems over MPI: what bt.c, lu.c and sp.c share. */
#include <mpi.h>

static int me, threads;
static double *inbox;

static void exchange(struct flow *f)
{
    const int two = (int)(10 * flow_plane(f));
    const int below = me > 0 ? me - 1 : MPI_PROC_NULL, above = me < threads - 1 ? me + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(f->u + 5 * flow_at(f, 1, 0, 0), two, MPI_DOUBLE, below, 0, f->u + 5 * flow_at(f, f->planes + 1, 0, 0),
                 two, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(f->u + 5 * flow_at(f, f->planes - 1, 0, 0), two, MPI_DOUBLE, above, 1, f->u, two, MPI_DOUBLE, below, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static const double *incoming(struct flow *f, int way, int row, long count)
{
    const int from = way == UPWARDS ? me - 1 : me + 1;
    if (from < 0 || from == threads)
        return f->none;
    MPI_Recv(inbox, (int)count, MPI_DOUBLE, from, 2 + way * FLOW_MOST + row, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return inbox;
}

static void outgoing(struct flow *f, int way, int row, const double *from, long count)
{
    const int to = way == UPWARDS ? me + 1 : me - 1;
    (void)f;
    if (to >= 0 && to < threads)
        MPI_Send(from, (int)count, MPI_DOUBLE, to, 2 + way * FLOW_MOST + row, MPI_COMM_WORLD);
}

/* The squares of residual and error, summed over all ranks; r is lost. */
static void norms(struct flow *f, double *sums)
{
    double mine[2];
    exchange(f);
    flow_states(f);
    flow_residual(f, 1);
    flow_squares(f, mine);
    MPI_Allreduce(mine, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Solves a class of a problem, the first step twice. */
static int solve(int argc, char **argv, const char *name, struct flow_class (*of)(char), int work,
                 void (*step)(struct flow *))
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &threads);
    const char class = class_of(argc, argv);
    const struct flow_class c = of(class);
    if (!flow_fits(name, class, &c, threads, me)) {
        MPI_Finalize();
        return 2;
    }
    struct flow f;
    flow_part(&f, &c, threads, me, work);
    f.u = flow_zeros(5 * flow_points(&f));
    f.r = flow_zeros(5 * flow_points(&f));
    inbox = flow_zeros(FLOW_ROW);
    flow_source(&f);
    double before[2], after[2];
    flow_fill(&f, 0.1);
    norms(&f, before);
    step(&f);
    flow_fill(&f, 0.1);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = seconds();
    for (int k = 0; k < f.steps; k++)
        step(&f);
    norms(&f, after);
    if (me == 0) {
        if (argc > 2)
            printf("residual %.13e, error %.13e, at first %.3e and %.3e\n", flow_norm(&f, after[0]),
                   flow_norm(&f, after[1]), flow_norm(&f, before[0]), flow_norm(&f, before[1]));
        report(name, class, threads, seconds() - start, flow_verify(&f, &c, before, after));
    }
    MPI_Finalize();
    return 0;
}
