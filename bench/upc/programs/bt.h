/*
 * NAS BT: steps of an approximate factorisation in three directions, each of which is block-tridiagonal systems along
 * its lines. Those along z go through all threads: each eliminates its planes row by row, UPWARDS, and substitutes
 * DOWNWARDS, while its neighbours are at other rows.
 */
#ifndef BT_H
#define BT_H
#include "flow.h"
#define BT_WORK 30 /* of a point: five rows of the block above its diagonal, each with its right-hand side */

static inline struct flow_class bt_class(char class)
{
    struct flow_class s = {12, 60, 0.02, 5.1068124712381e-03, 7.2257087473998e-04},
                      w = {24, 60, 0.02, 3.6422802146131e-03, 5.5209609973037e-04},
                      a = {64, 20, 0.02, 2.1193039278596e-01, 2.3264923719761e-02},
                      b = {102, 15, 0.02, 4.1493865944094e-01, 3.4709321887187e-02}, none = {0, 0, 0, 0, 0};
    return class == 'S' ? s : class == 'W' ? w : class == 'A' ? a : class == 'B' ? b : none;
}

/* Eliminates a point, whose predecessor in direction d has become `before`. */
static inline void bt_eliminate(const struct flow *f, long p, int d, long step, const double *before, double *now)
{
    const double *u = f->u + 5 * p, *s = f->state + 3 * p;
    double a = 0.5 * f->dt / f->h, c = f->dt * FLOW_VISCOSITY / (f->h * f->h), block[5][5], diagonal[5][5];
    flow_block(u + 5 * step, s + 3 * step, d, a, -c, block);
    for (int m = 0; m < 5; m++) {
        memcpy(now + 6 * m, block[m], 5 * sizeof *now);
        now[6 * m + 5] = f->r[5 * p + m];
    }
    flow_block(u, s, d, 0, 2 * c, diagonal);
    for (int m = 0; m < 5; m++)
        diagonal[m][m] += 1;
    /* The block below the diagonal, with the other sign. */
    flow_block(u - 5 * step, s - 3 * step, d, a, c, block);
    for (int m = 0; m < 5; m++)
        for (int q = 0; q < 5; q++) {
            for (int l = 0; l < 5; l++)
                diagonal[m][l] += block[m][q] * before[6 * q + l];
            now[6 * m + 5] += block[m][q] * before[6 * q + 5];
        }
    flow_solve(diagonal, 6, now);
}

/* r of a point from that of its successor. */
static inline void bt_substitute(const double *now, const double *next, double *r)
{
    for (int m = 0; m < 5; m++) {
        double sum = now[6 * m + 5];
        for (int l = 0; l < 5; l++)
            sum -= now[6 * m + l] * next[l];
        r[m] = sum;
    }
}

static inline void bt_along_x(struct flow *f)
{
    const int n = f->n;
    for (int k = 1; k <= f->planes; k++)
        for (int j = 1; j < n - 1; j++) {
            long p = flow_at(f, k, j, 0);
            for (int i = 1; i < n - 1; i++)
                bt_eliminate(f, p + i, 0, 1, i == 1 ? f->none : f->work + BT_WORK * (i - 1), f->work + BT_WORK * i);
            for (int i = n - 2; i > 0; i--)
                bt_substitute(f->work + BT_WORK * i, f->r + 5 * (p + i + 1), f->r + 5 * (p + i));
        }
}

static inline void bt_along_y(struct flow *f)
{
    const int n = f->n;
    for (int k = 1; k <= f->planes; k++) {
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++) {
                double *now = f->work + BT_WORK * ((long)j * n + i);
                bt_eliminate(f, flow_at(f, k, j, i), 1, n, j == 1 ? f->none : now - BT_WORK * n, now);
            }
        for (int j = n - 2; j > 0; j--)
            for (int i = 1; i < n - 1; i++) {
                double *r = f->r + 5 * flow_at(f, k, j, i);
                bt_substitute(f->work + BT_WORK * ((long)j * n + i), r + 5 * n, r);
            }
    }
}

static inline void bt_along_z(struct flow *f)
{
    const int n = f->n;
    const long plane = flow_plane(f);
    f->turn++;
    for (int j = 1; j < n - 1; j++) {
        const double *before = incoming(f, UPWARDS, j, BT_WORK * n);
        double *now = f->work + BT_WORK * (long)j * n;
        for (int k = 1; k <= f->planes; k++, before = now, now += BT_WORK * plane)
            for (int i = 1; i < n - 1; i++)
                bt_eliminate(f, flow_at(f, k, j, i), 2, plane, before + BT_WORK * i, now + BT_WORK * i);
        outgoing(f, UPWARDS, j, before, BT_WORK * n);
    }
    for (int j = 1; j < n - 1; j++) {
        const double *next = incoming(f, DOWNWARDS, j, 5 * n);
        for (int k = f->planes; k > 0; k--) {
            double *r = f->r + 5 * flow_at(f, k, j, 0), *now = f->work + BT_WORK * ((k - 1) * plane + (long)j * n);
            for (int i = 1; i < n - 1; i++)
                bt_substitute(now + BT_WORK * i, next + 5 * i, r + 5 * i);
            next = r;
        }
        outgoing(f, DOWNWARDS, j, next, 5 * n);
    }
}

static inline void bt_step(struct flow *f)
{
    exchange(f);
    flow_states(f);
    flow_residual(f, f->dt);
    bt_along_x(f);
    bt_along_y(f);
    bt_along_z(f);
    flow_add(f, 1);
}
#endif
