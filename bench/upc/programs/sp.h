/*
 * NAS SP: steps of an approximate factorisation in three directions, each of which is made diagonal by the eigenvectors
 * of its flux (Pulliam and Chaussee, 1981), with the dissipation in it: five scalar pentadiagonal systems along each
 * line. Those along z go through all threads as in BT.
 */
#ifndef SP_H
#define SP_H
#include "flow.h"
#define SP_WORK 15 /* of a point: for each variable the two factors above its diagonal, and the right-hand side */

static inline struct flow_class sp_class(char class)
{
    struct flow_class s = {12, 100, 0.02, 4.8054555626779e-04, 1.0915513764380e-04},
                      w = {36, 60, 0.02, 5.6792121117281e-03, 6.3909705836534e-04},
                      a = {64, 50, 0.02, 1.6614986192695e-02, 1.4720327867486e-03},
                      b = {102, 40, 0.02, 5.2000682390620e-02, 4.8268753015221e-03}, none = {0, 0, 0, 0, 0};
    return class == 'S' ? s : class == 'W' ? w : class == 'A' ? a : class == 'B' ? b : none;
}

/*
 * A small change of the variables as waves in direction d: entropy and the two shears move with the flow, sound moves
 * faster and slower than it.
 */
static inline void sp_waves(const double *u, const double *s, int d, const double *change, double *wave)
{
    const int p = (d + 1) % 3, q = (d + 2) % 3;
    double v[3] = {u[1] * s[0], u[2] * s[0], u[3] * s[0]}, half = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double pressure =
        (FLOW_GAMMA - 1) * (half * change[0] - v[0] * change[1] - v[1] * change[2] - v[2] * change[3] + change[4]);
    double sound = s[2] * (change[1 + d] - v[d] * change[0]);
    wave[0] = change[0] - pressure / (s[2] * s[2]);
    wave[1] = s[0] * (change[1 + p] - v[p] * change[0]);
    wave[2] = s[0] * (change[1 + q] - v[q] * change[0]);
    wave[3] = pressure + sound;
    wave[4] = pressure - sound;
}

/* The change of the variables that waves are. */
static inline void sp_change(const double *u, const double *s, int d, const double *wave, double *change)
{
    const int p = (d + 1) % 3, q = (d + 2) % 3;
    double v[3] = {u[1] * s[0], u[2] * s[0], u[3] * s[0]}, half = 0.5 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    double pressure = 0.5 * (wave[3] + wave[4]), density = wave[0] + pressure / (s[2] * s[2]);
    double c[3];
    c[d] = v[d] * density + 0.5 * (wave[3] - wave[4]) / s[2];
    c[p] = v[p] * density + u[0] * wave[1];
    c[q] = v[q] * density + u[0] * wave[2];
    change[0] = density;
    change[1] = c[0];
    change[2] = c[1];
    change[3] = c[2];
    change[4] = pressure / (FLOW_GAMMA - 1) - half * density + v[0] * c[0] + v[1] * c[1] + v[2] * c[2];
}

/* Eliminates a point, whose predecessors in direction d have become `one` and, before that, `two`. */
static inline void sp_eliminate(const struct flow *f, long p, int d, long step, int at, const double *two,
                                const double *one, double *now)
{
    const double *u = f->u + 5 * p, *s = f->state + 3 * p, *s0 = s - 3 * step, *s1 = s + 3 * step;
    const double a = 0.5 * f->dt / f->h, e = f->dt * FLOW_DISSIPATION;
    const double c = f->dt * FLOW_VISCOSITY / (f->h * f->h) * (s[0] > 1 ? s[0] : 1);
    struct flow_weights w = flow_weights(f->n, at);
    double v0 = (u - 5 * step)[1 + d] * s0[0], v1 = (u + 5 * step)[1 + d] * s1[0], wave[5];
    sp_waves(u, s, d, f->r + 5 * p, wave);
    for (int m = 0; m < 5; m++) {
        double sound = m == 3 ? 1 : m == 4 ? -1 : 0;
        double far_below = e * w.far_below, below = e * w.below - c - a * (v0 + sound * s0[2]);
        double here = 1 + 2 * c + e * w.here, above = e * w.above - c + a * (v1 + sound * s1[2]);
        below -= far_below * two[3 * m];
        here -= far_below * two[3 * m + 1] + below * one[3 * m];
        double inverse = 1 / here;
        now[3 * m] = inverse * (above - below * one[3 * m + 1]);
        now[3 * m + 1] = inverse * e * w.far_above;
        now[3 * m + 2] = inverse * (wave[m] - far_below * two[3 * m + 2] - below * one[3 * m + 2]);
    }
}

/* The waves of a point from those of its successors. */
static inline void sp_substitute(const double *now, const double *next, const double *after, double *r)
{
    for (int m = 0; m < 5; m++)
        r[m] = now[3 * m + 2] - now[3 * m] * next[m] - now[3 * m + 1] * after[m];
}

static inline void sp_back(struct flow *f, long p, int d)
{
    double wave[5];
    memcpy(wave, f->r + 5 * p, sizeof wave);
    sp_change(f->u + 5 * p, f->state + 3 * p, d, wave, f->r + 5 * p);
}

static inline void sp_along_x(struct flow *f)
{
    const int n = f->n;
    for (int k = 1; k <= f->planes; k++)
        for (int j = 1; j < n - 1; j++) {
            long p = flow_at(f, k, j, 0);
            for (int i = 1; i < n - 1; i++) {
                double *now = f->work + SP_WORK * i;
                sp_eliminate(f, p + i, 0, 1, i, i > 2 ? now - 2 * SP_WORK : f->none, i > 1 ? now - SP_WORK : f->none,
                             now);
            }
            for (int i = n - 2; i > 0; i--) {
                double *r = f->r + 5 * (p + i);
                sp_substitute(f->work + SP_WORK * i, r + 5, i < n - 2 ? r + 10 : f->none, r);
            }
            for (int i = 1; i < n - 1; i++)
                sp_back(f, p + i, 0);
        }
}

static inline void sp_along_y(struct flow *f)
{
    const int n = f->n;
    const long line = SP_WORK * n;
    for (int k = 1; k <= f->planes; k++) {
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++) {
                double *now = f->work + j * line + SP_WORK * i;
                sp_eliminate(f, flow_at(f, k, j, i), 1, n, j, j > 2 ? now - 2 * line : f->none,
                             j > 1 ? now - line : f->none, now);
            }
        for (int j = n - 2; j > 0; j--)
            for (int i = 1; i < n - 1; i++) {
                double *r = f->r + 5 * flow_at(f, k, j, i);
                sp_substitute(f->work + j * line + SP_WORK * i, r + 5 * n, j < n - 2 ? r + 10 * n : f->none, r);
            }
        for (int j = 1; j < n - 1; j++)
            for (int i = 1; i < n - 1; i++)
                sp_back(f, flow_at(f, k, j, i), 1);
    }
}

/* Sends two rows of a sweep as one. */
static inline void sp_pass(struct flow *f, int way, int row, const double *first, const double *second, long count)
{
    double both[FLOW_ROW];
    memcpy(both, first, (size_t)count * sizeof *both);
    memcpy(both + count, second, (size_t)count * sizeof *both);
    outgoing(f, way, row, both, 2 * count);
}

static inline void sp_along_z(struct flow *f)
{
    const int n = f->n;
    const long plane = flow_plane(f), line = SP_WORK * n;
    f->turn++;
    for (int j = 1; j < n - 1; j++) {
        const double *two = incoming(f, UPWARDS, j, 2 * line), *one = two + line;
        double *now = f->work + j * line;
        for (int k = 1; k <= f->planes; k++, two = one, one = now, now += SP_WORK * plane)
            for (int i = 1; i < n - 1; i++)
                sp_eliminate(f, flow_at(f, k, j, i), 2, plane, f->first + k - 1, two + SP_WORK * i, one + SP_WORK * i,
                             now + SP_WORK * i);
        sp_pass(f, UPWARDS, j, two, one, line);
    }
    for (int j = 1; j < n - 1; j++) {
        const double *next = incoming(f, DOWNWARDS, j, 10 * n), *after = next + 5 * n;
        for (int k = f->planes; k > 0; k--) {
            double *r = f->r + 5 * flow_at(f, k, j, 0);
            for (int i = 1; i < n - 1; i++)
                sp_substitute(f->work + SP_WORK * (k - 1) * plane + j * line + SP_WORK * i, next + 5 * i, after + 5 * i,
                              r + 5 * i);
            after = next;
            next = r;
        }
        sp_pass(f, DOWNWARDS, j, next, after, 5 * n);
        for (int k = 1; k <= f->planes; k++)
            for (int i = 1; i < n - 1; i++)
                sp_back(f, flow_at(f, k, j, i), 2);
    }
}

static inline void sp_step(struct flow *f)
{
    exchange(f);
    flow_states(f);
    flow_residual(f, f->dt);
    sp_along_x(f);
    sp_along_y(f);
    sp_along_z(f);
    flow_add(f, 1);
}
#endif
