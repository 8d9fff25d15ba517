/*
 * What BT, SP and LU share: a steady compressible flow in the unit cube, as NAS report RNR-94-007 poses its three
 * simulated applications. Five variables a point (density, momentum, energy), Euler fluxes by central differences,
 * diffusion of density, velocity and energy, and a fourth-order dissipation. The source is such that a given smooth
 * function solves the discrete equations; a run starts beside it, with its values on the boundary, and approaches it.
 *
 * Threads have slabs of inner planes of z, with two ghost planes on either side. What the including program provides:
 * exchange fills the ghost planes of u; incoming waits for a row that the neighbour below (UPWARDS) or above has sent
 * in this sweep, and gives its place, or zeros if there is no such neighbour; outgoing sends a row on.
 */
#ifndef FLOW_H
#define FLOW_H
#include "common.h"

#define FLOW_MOST 102              /* points a side */
#define FLOW_ROW (30L * FLOW_MOST) /* the longest message */
#define FLOW_GAMMA 1.4
#define FLOW_VISCOSITY 0.1
#define FLOW_DISSIPATION 0.1

enum { UPWARDS, DOWNWARDS };

/* A problem, and what is left after its steps: the norms of the residual and of the error. */
struct flow_class {
    int n, steps;
    double dt, residual, error;
};

/*
 * A thread's part: planes first, first + 1, ... of n, of which plane k has the number k = 1 ... planes here. u, r and
 * source have five numbers for each point, state has three. turn is the number of the sweep, none a row of zeros.
 */
struct flow {
    int n, planes, first, steps, turn;
    double h, dt;
    double *u, *r, *source, *state, *work, *none;
};

static void exchange(struct flow *f);
static const double *incoming(struct flow *f, int way, int row, long count);
static void outgoing(struct flow *f, int way, int row, const double *from, long count);

static inline long flow_plane(const struct flow *f)
{
    return (long)f->n * f->n;
}

static inline long flow_points(const struct flow *f)
{
    return (f->planes + 4) * flow_plane(f);
}

static inline long flow_at(const struct flow *f, int k, int j, int i)
{
    return ((long)(k + 1) * f->n + j) * f->n + i;
}

/* Whether there is such a class, of which each thread has two planes at least, as its neighbours need them. */
static inline int flow_fits(const char *name, char class, const struct flow_class *c, int threads, int me)
{
    int fits = threads <= (c->n - 2) / 2;
    if (c->n == 0 && me == 0)
        fprintf(stderr, "%s: there is no class %c, but there are S, W, A and B\n", name, class);
    else if (!fits && me == 0)
        fprintf(stderr, "%s: class %c has %d inner planes, so it runs with 1 to %d threads, not with %d\n", name, class,
                c->n - 2, (c->n - 2) / 2, threads);
    return fits;
}

static inline void *flow_zeros(long count)
{
    void *p = calloc((size_t)count, sizeof(double));
    if (p == NULL) {
        fprintf(stderr, "no memory for %ld numbers\n", count);
        exit(1);
    }
    return p;
}

/* A thread's part without u and r, which the program allocates; a sweep keeps `work` numbers for each inner point. */
static inline void flow_part(struct flow *f, const struct flow_class *c, int threads, int me, int work)
{
    f->n = c->n;
    f->first = 1 + (int)part(c->n - 2, me, threads);
    f->planes = 1 + (int)part(c->n - 2, me + 1, threads) - f->first;
#ifdef FLOW_STEPS /* few of them are enough to look for races */
    f->steps = FLOW_STEPS;
#else
    f->steps = c->steps;
#endif
    f->turn = 0;
    f->h = 1.0 / (c->n - 1);
    f->dt = c->dt;
    f->source = flow_zeros(5 * flow_points(f));
    f->state = flow_zeros(3 * flow_points(f));
    f->work = flow_zeros(work * f->planes * flow_plane(f));
    f->none = flow_zeros(FLOW_ROW);
}

/* The solution: for each variable the factors of 1, x, y, z, their squares, and xyz. */
static inline void flow_exact(double x, double y, double z, double *u)
{
    static const double factor[5][8] = {
        {2.0, 0.10, 0.05, -0.10, 0.08, -0.04, 0.06, 0.10},  {1.0, 0.20, -0.10, 0.05, -0.10, 0.10, 0.02, -0.08},
        {0.6, -0.10, 0.15, 0.10, 0.05, -0.08, 0.04, 0.12},  {-0.4, 0.05, 0.10, -0.15, 0.06, 0.04, -0.10, 0.05},
        {6.0, 0.30, -0.20, 0.25, -0.15, 0.10, 0.20, -0.30},
    };
    for (int m = 0; m < 5; m++) {
        const double *c = factor[m];
        u[m] = c[0] + x * (c[1] + c[4] * x) + y * (c[2] + c[5] * y) + z * (c[3] + c[6] * z) + c[7] * x * y * z;
    }
}

/* u = the solution, raised within the cube by a share of it. */
static inline void flow_fill(struct flow *f, double raised)
{
    for (int k = -1; k <= f->planes + 2; k++)
        for (int j = 0; j < f->n; j++)
            for (int i = 0; i < f->n; i++) {
                double x = i * f->h, y = j * f->h, z = (f->first + k - 1) * f->h, *u = f->u + 5 * flow_at(f, k, j, i);
                double hill = 64 * x * (1 - x) * y * (1 - y) * z * (1 - z);
                flow_exact(x, y, z, u);
                for (int m = 0; m < 5; m++)
                    u[m] *= 1 + (raised + 0.1 * raised * m) * hill;
            }
}

/* Of each point between the outer ghosts: one over the density, the pressure, and the speed of sound. */
static inline void flow_states(struct flow *f)
{
    for (long p = flow_plane(f); p < flow_points(f) - flow_plane(f); p++) {
        const double *u = f->u + 5 * p;
        double *s = f->state + 3 * p;
        s[0] = 1 / u[0];
        s[1] = (FLOW_GAMMA - 1) * (u[4] - 0.5 * s[0] * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]));
        s[2] = sqrt(FLOW_GAMMA * s[1] * s[0]);
    }
}

/* The flux in direction d. */
static inline void flow_flux(const double *u, const double *s, int d, double *flux)
{
    double v = u[1 + d] * s[0];
    for (int m = 0; m < 4; m++)
        flux[m] = u[m] * v;
    flux[1 + d] += s[1];
    flux[4] = (u[4] + s[1]) * v;
}

/* The weights of a point and of its neighbours, by distance, in the dissipation: none on the boundary. */
struct flow_weights {
    double far_below, below, here, above, far_above;
};

static inline struct flow_weights flow_weights(int n, int at)
{
    return (struct flow_weights){at > 2, at > 1 ? -4 : 0, 6 - (at == 1) - (at == n - 2), at < n - 2 ? -4 : 0,
                                 at < n - 3};
}

/* Adds the terms of direction d to the residual of a point, which has coordinate `at` there. */
static inline void flow_direction(const struct flow *f, long p, int d, long step, int at, double *sum)
{
    const double *u = f->u + 5 * p, *below = u - 5 * step, *above = u + 5 * step;
    const double *far_below = at > 1 ? below - 5 * step : u, *far_above = at < f->n - 2 ? above + 5 * step : u;
    const double *s = f->state + 3 * p, *s0 = s - 3 * step, *s1 = s + 3 * step;
    struct flow_weights w = flow_weights(f->n, at);
    double flux0[5], flux1[5], a = 0.5 / f->h, c = FLOW_VISCOSITY / (f->h * f->h);
    flow_flux(below, s0, d, flux0);
    flow_flux(above, s1, d, flux1);
    sum[0] += c * (above[0] - 2 * u[0] + below[0]);
    for (int m = 1; m < 5; m++)
        sum[m] += c * (above[m] * s1[0] - 2 * u[m] * s[0] + below[m] * s0[0]);
    for (int m = 0; m < 5; m++)
        sum[m] -= a * (flux1[m] - flux0[m]) +
                  FLOW_DISSIPATION * (w.far_below * far_below[m] + w.below * below[m] + w.here * u[m] +
                                      w.above * above[m] + w.far_above * far_above[m]);
}

/* r = scale times what is left of the equations at the inner points; it is zero elsewhere. */
static inline void flow_residual(struct flow *f, double scale)
{
    for (int k = 1; k <= f->planes; k++)
        for (int j = 1; j < f->n - 1; j++)
            for (int i = 1; i < f->n - 1; i++) {
                long p = flow_at(f, k, j, i);
                double sum[5];
                memcpy(sum, f->source + 5 * p, sizeof sum);
                flow_direction(f, p, 0, 1, i, sum);
                flow_direction(f, p, 1, f->n, j, sum);
                flow_direction(f, p, 2, flow_plane(f), f->first + k - 1, sum);
                for (int m = 0; m < 5; m++)
                    f->r[5 * p + m] = scale * sum[m];
            }
}

/* The source that makes the solution one of the discrete equations. */
static inline void flow_source(struct flow *f)
{
    flow_fill(f, 0);
    flow_states(f);
    flow_residual(f, -1);
    memcpy(f->source, f->r, sizeof(double) * 5 * (size_t)flow_points(f));
}

/* u += scale times r. */
static inline void flow_add(struct flow *f, double scale)
{
    for (long p = 10 * flow_plane(f); p < 5 * flow_points(f) - 10 * flow_plane(f); p++)
        f->u[p] += scale * f->r[p];
}

/* The squares of r and of the error, over a thread's inner points. */
static inline void flow_squares(const struct flow *f, double *sums)
{
    sums[0] = sums[1] = 0;
    for (int k = 1; k <= f->planes; k++)
        for (int j = 1; j < f->n - 1; j++)
            for (int i = 1; i < f->n - 1; i++) {
                long p = 5 * flow_at(f, k, j, i);
                double exact[5];
                flow_exact(i * f->h, j * f->h, (f->first + k - 1) * f->h, exact);
                for (int m = 0; m < 5; m++) {
                    sums[0] += f->r[p + m] * f->r[p + m];
                    sums[1] += (f->u[p + m] - exact[m]) * (f->u[p + m] - exact[m]);
                }
            }
}

static inline double flow_norm(const struct flow *f, double squares)
{
    double side = f->n - 2;
    return sqrt(squares / (5 * side * side * side));
}

/*
 * Whether the norms of the sums of squares over all threads are those of the class, and less than they were at the
 * start.
 */
static inline int flow_verify(const struct flow *f, const struct flow_class *c, const double *start, const double *end)
{
    return close_to(flow_norm(f, end[0]), c->residual, 1e-8) && close_to(flow_norm(f, end[1]), c->error, 1e-8) &&
           end[0] < start[0] && end[1] < start[1];
}

/* b = a times the Jacobian matrix of the flux in direction d + c times that of the variables that diffuse. */
static inline void flow_block(const double *u, const double *s, int d, double a, double c, double b[5][5])
{
    const double g = FLOW_GAMMA - 1, v[3] = {u[1] * s[0], u[2] * s[0], u[3] * s[0]}, e = u[4] * s[0];
    const double half = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), enthalpy = e + s[1] * s[0];
    memset(b, 0, 25 * sizeof(double));
    b[0][0] = c;
    b[0][1 + d] = a;
    for (int i = 0; i < 3; i++) {
        b[i + 1][0] = -v[i] * (a * v[d] + c * s[0]);
        b[i + 1][i + 1] += a * v[d] + c * s[0];
        b[i + 1][1 + d] += a * v[i];
        b[4][i + 1] = -a * g * v[d] * v[i];
    }
    b[1 + d][0] += a * g * half;
    b[1 + d][1] -= a * g * v[0];
    b[1 + d][2] -= a * g * v[1];
    b[1 + d][3] -= a * g * v[2];
    b[1 + d][4] = a * g;
    b[4][0] = a * v[d] * (g * half - enthalpy) - c * e * s[0];
    b[4][1 + d] += a * enthalpy;
    b[4][4] = a * FLOW_GAMMA * v[d] + c * s[0];
}

/* y -= b x */
static inline void flow_subtract(double b[5][5], const double *x, double *y)
{
    for (int m = 0; m < 5; m++)
        y[m] -= b[m][0] * x[0] + b[m][1] * x[1] + b[m][2] * x[2] + b[m][3] * x[3] + b[m][4] * x[4];
}

/* Solves b y = x for `columns` columns of x, in place; b is dominated by its diagonal, and lost. */
static inline void flow_solve(double b[5][5], int columns, double *x)
{
    for (int p = 0; p < 5; p++) {
        double one = 1 / b[p][p];
        for (int m = p + 1; m < 5; m++)
            b[p][m] *= one;
        for (int m = 0; m < columns; m++)
            x[p * columns + m] *= one;
        for (int q = p + 1; q < 5; q++) {
            double t = b[q][p];
            for (int m = p + 1; m < 5; m++)
                b[q][m] -= t * b[p][m];
            for (int m = 0; m < columns; m++)
                x[q * columns + m] -= t * x[p * columns + m];
        }
    }
    for (int p = 3; p >= 0; p--)
        for (int q = p + 1; q < 5; q++)
            for (int m = 0; m < columns; m++)
                x[p * columns + m] -= b[p][q] * x[q * columns + m];
}
#endif
