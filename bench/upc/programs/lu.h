/*
 * NAS LU: steps of symmetric successive over-relaxation. A sweep UPWARDS solves the lower triangle of the implicit
 * system, another one DOWNWARDS the upper one. A point needs its three neighbours on one side, so the threads are a
 * pipeline, row by row.
 */
#ifndef LU_H
#define LU_H
#include "flow.h"
#define LU_OMEGA 1.2

static inline struct flow_class lu_class(char class)
{
    struct flow_class s = {12, 50, 0.02, 1.0179533299476e-02, 1.3206474070435e-03},
                      w = {33, 50, 0.02, 6.7076675917941e-02, 1.0606664492205e-02},
                      a = {64, 40, 0.02, 4.8451312148295e-01, 5.5086953169417e-02},
                      b = {102, 30, 0.02, 5.3966349037347e-01, 1.3429990977967e-01}, none = {0, 0, 0, 0, 0};
    return class == 'S' ? s : class == 'W' ? w : class == 'A' ? a : class == 'B' ? b : none;
}

/*
 * y -= the block of a neighbour times its r; side is -1 for the neighbour before a point in direction d, else 1, and p
 * the neighbour.
 */
static inline void lu_neighbour(const struct flow *f, long p, int d, int side, const double *r, double *y)
{
    double block[5][5], c = f->dt * FLOW_VISCOSITY / (f->h * f->h);
    flow_block(f->u + 5 * p, f->state + 3 * p, d, LU_OMEGA * side * 0.5 * f->dt / f->h, -LU_OMEGA * c, block);
    flow_subtract(block, r, y);
}

/* y = the inverse of a point's diagonal block times y */
static inline void lu_diagonal(const struct flow *f, long p, double *y)
{
    double block[5][5];
    flow_block(f->u + 5 * p, f->state + 3 * p, 0, 0, 6 * f->dt * FLOW_VISCOSITY / (f->h * f->h), block);
    for (int m = 0; m < 5; m++)
        block[m][m] += 1;
    flow_solve(block, 1, y);
}

static inline void lu_lower(struct flow *f)
{
    const int n = f->n;
    const long plane = flow_plane(f);
    for (int j = 1; j < n - 1; j++) {
        const double *before = incoming(f, UPWARDS, j, 5 * n);
        for (int k = 1; k <= f->planes; k++) {
            double *r = f->r + 5 * flow_at(f, k, j, 0);
            for (int i = 1; i < n - 1; i++) {
                long p = flow_at(f, k, j, i);
                lu_neighbour(f, p - plane, 2, -1, before + 5 * i, r + 5 * i);
                lu_neighbour(f, p - n, 1, -1, r + 5 * (i - n), r + 5 * i);
                lu_neighbour(f, p - 1, 0, -1, r + 5 * (i - 1), r + 5 * i);
                lu_diagonal(f, p, r + 5 * i);
            }
            before = r;
        }
        outgoing(f, UPWARDS, j, before, 5 * n);
    }
}

static inline void lu_upper(struct flow *f)
{
    const int n = f->n;
    const long plane = flow_plane(f);
    for (int j = n - 2; j > 0; j--) {
        const double *next = incoming(f, DOWNWARDS, j, 5 * n);
        for (int k = f->planes; k > 0; k--) {
            double *r = f->r + 5 * flow_at(f, k, j, 0);
            for (int i = n - 2; i > 0; i--) {
                long p = flow_at(f, k, j, i);
                double y[5] = {0};
                lu_neighbour(f, p + plane, 2, 1, next + 5 * i, y);
                lu_neighbour(f, p + n, 1, 1, r + 5 * (i + n), y);
                lu_neighbour(f, p + 1, 0, 1, r + 5 * (i + 1), y);
                lu_diagonal(f, p, y);
                for (int m = 0; m < 5; m++)
                    r[5 * i + m] += y[m];
            }
            next = r;
        }
        outgoing(f, DOWNWARDS, j, next, 5 * n);
    }
}

static inline void lu_step(struct flow *f)
{
    exchange(f);
    flow_states(f);
    flow_residual(f, f->dt);
    f->turn++;
    lu_lower(f);
    lu_upper(f);
    flow_add(f, LU_OMEGA * (2 - LU_OMEGA));
}
#endif
