/* NAS MG: V cycles of a multigrid method for a discrete Poisson equation on a periodic cube. Planes of z are given to threads in equal parts,
   with a ghost plane on either side; grids with less than two planes for each thread are whole on every thread. */
#ifndef MG_H
#define MG_H
#include "common.h"
#define MG_LEVELS 9

struct mg_class { int log, times; double norm; };

/* The weights of the smoother, by distance: class B has others than the smaller ones. */
static double mg_weights[3] = { -3.0 / 8, 1.0 / 32, -1.0 / 64 };

static struct mg_class mg_class(char class)
{
	struct mg_class s = { 5, 4, 0.5307707005734e-04 }, w = { 7, 4, 0.6467329375339e-05 }, a = { 8, 4, 0.2433365309069e-05 };
	struct mg_class b = { 8, 20, 0.1800564401355e-05 };
	if (class == 'B') {
		mg_weights[0] = -3.0 / 17;
		mg_weights[1] = 1.0 / 33;
		mg_weights[2] = -1.0 / 61;
	}
	return class == 'S' ? s : class == 'W' ? w : class == 'A' ? a : b;
}

/* A grid of n x n x n points, of which a thread has planes z = first ... first + planes - 1. Rows have n + 2 places and planes n + 2
   rows: ghosts at both ends of each dimension. */
struct mg_grid { int n, planes, first, split; double *u, *r; };

static inline long mg_row(const struct mg_grid *g) { return g->n + 2; }
static inline long mg_plane(const struct mg_grid *g) { return mg_row(g) * mg_row(g); }
static inline size_t mg_bytes(const struct mg_grid *g) { return sizeof(double) * (size_t)mg_plane(g) * (size_t)(g->planes + 2); }

/* The ghosts in x and y of the inner planes, and those in z if the grid is whole here. */
static void mg_wrap(const struct mg_grid *g, double *a)
{
	long row = mg_row(g), plane = mg_plane(g), n = g->n;
	for (int z = 1; z <= g->planes; z++) {
		double *p = a + z * plane;
		for (long y = 1; y <= n; y++) {
			p[y * row] = p[y * row + n];
			p[y * row + n + 1] = p[y * row + 1];
		}
		memcpy(p, p + n * row, (size_t)row * sizeof *p);
		memcpy(p + (n + 1) * row, p + row, (size_t)row * sizeof *p);
	}
	if (!g->split) {
		memcpy(a, a + n * plane, (size_t)plane * sizeof *a);
		memcpy(a + (n + 1) * plane, a + plane, (size_t)plane * sizeof *a);
	}
}

/* Sums over the rows beside and the rows diagonal to a row in the y-z plane. */
static inline void mg_sums(const double *u, long at, long row, long plane, long n, double *restrict near, double *restrict far)
{
	for (long x = 0; x < n + 2; x++) {
		near[x] = u[at + x - row] + u[at + x + row] + u[at + x - plane] + u[at + x + plane];
		far[x] = u[at + x - plane - row] + u[at + x - plane + row] + u[at + x + plane - row] + u[at + x + plane + row];
	}
}

/* r = v - A u, without r's ghosts; r may be v. */
static void mg_residual(const struct mg_grid *g, const double *u, const double *v, double *r)
{
	const double a0 = -8.0 / 3, a2 = 1.0 / 6, a3 = 1.0 / 12;
	long row = mg_row(g), plane = mg_plane(g), n = g->n;
	double near[1026], far[1026];
	for (long z = 1; z <= g->planes; z++)
		for (long y = 1; y <= n; y++) {
			long at = z * plane + y * row;
			mg_sums(u, at, row, plane, n, near, far);
			for (long x = 1; x <= n; x++)
				r[at + x] = v[at + x] - a0 * u[at + x] - a2 * (far[x] + near[x - 1] + near[x + 1]) - a3 * (far[x - 1] + far[x + 1]);
		}
}

/* u += C r, without u's ghosts. */
static void mg_smooth(const struct mg_grid *g, const double *r, double *u)
{
	const double c0 = mg_weights[0], c1 = mg_weights[1], c2 = mg_weights[2];
	long row = mg_row(g), plane = mg_plane(g), n = g->n;
	double near[1026], far[1026];
	for (long z = 1; z <= g->planes; z++)
		for (long y = 1; y <= n; y++) {
			long at = z * plane + y * row;
			mg_sums(r, at, row, plane, n, near, far);
			for (long x = 1; x <= n; x++)
				u[at + x] += c0 * r[at + x] + c1 * (r[at + x - 1] + r[at + x + 1] + near[x]) + c2 * (far[x] + near[x - 1] + near[x + 1]);
		}
}

/* The residual of a coarse grid from a fine one's; the coarse grid's planes are those from `from` on, `count` of them. */
static void mg_restrict(const struct mg_grid *fine, const double *r, const struct mg_grid *coarse, double *s, int from, int count)
{
	long row = mg_row(fine), plane = mg_plane(fine);
	double near[1026], far[1026];
	for (int z = 0; z < count; z++)
		for (long y = 1; y <= coarse->n; y++) {
			long at = (2 * z + 2) * plane + 2 * y * row;
			double *to = s + (from + z + 1) * mg_plane(coarse) + y * mg_row(coarse);
			mg_sums(r, at, row, plane, fine->n, near, far);
			for (long x = 1; x <= coarse->n; x++) {
				long k = 2 * x;
				to[x] = 0.5 * r[at + k] + 0.25 * (r[at + k - 1] + r[at + k + 1] + near[k]) + 0.125 * (near[k - 1] + near[k + 1] + far[k]) +
				        0.0625 * (far[k - 1] + far[k + 1]);
			}
		}
}

/* u of the fine grid += the interpolation of a coarse one's; the coarse plane below fine plane 1 is number `from` (ghosts counted). */
static void mg_interpolate(const struct mg_grid *coarse, const double *c, const struct mg_grid *fine, double *u, int from)
{
	long row = mg_row(coarse), plane = mg_plane(coarse);
	for (int z = 1; z <= fine->planes; z++) {
		/* an odd fine point lies between two coarse ones, an even one on one */
		const double *z0 = c + (from + z / 2) * plane, *z1 = z % 2 ? z0 + plane : z0;
		for (long y = 1; y <= fine->n; y++) {
			long y0 = (y / 2) * row, y1 = y % 2 ? y0 + row : y0;
			double *to = u + z * mg_plane(fine) + y * mg_row(fine);
			for (long x = 0; x <= coarse->n; x++) {
				double s = z0[y0 + x] + z0[y1 + x] + z1[y0 + x] + z1[y1 + x];
				double t = z0[y0 + x + 1] + z0[y1 + x + 1] + z1[y0 + x + 1] + z1[y1 + x + 1];
				if (x > 0)
					to[2 * x] += 0.25 * s;
				if (x < coarse->n)
					to[2 * x + 1] += 0.125 * (s + t);
			}
		}
	}
}

/* The right-hand side: 1 at the places of the ten largest and -1 at those of the ten smallest random numbers. */
static void mg_charges(const struct mg_grid *g, double *v)
{
	long n = g->n, total = n * n * n, low[10], high[10];
	double least[10], most[10];
	uint64_t x = 314159265;
	for (int k = 0; k < 10; k++) {
		least[k] = 2;
		most[k] = -1;
		low[k] = high[k] = -1;
	}
	for (long i = 0; i < total; i++) {
		double r = next_random(&x, RANDOM_A);
		if (r < least[9]) {
			int k = 9;
			for (; k > 0 && r < least[k - 1]; k--) {
				least[k] = least[k - 1];
				low[k] = low[k - 1];
			}
			least[k] = r;
			low[k] = i;
		}
		if (r > most[9]) {
			int k = 9;
			for (; k > 0 && r > most[k - 1]; k--) {
				most[k] = most[k - 1];
				high[k] = high[k - 1];
			}
			most[k] = r;
			high[k] = i;
		}
	}
	memset(v, 0, mg_bytes(g));
	for (int k = 0; k < 20; k++) {
		long i = k < 10 ? low[k] : high[k - 10], z = i / (n * n) - g->first;
		if (z >= 0 && z < g->planes)
			v[(z + 1) * mg_plane(g) + (i / n % n + 1) * mg_row(g) + i % n + 1] = k < 10 ? -1 : 1;
	}
}

static double mg_squares(const struct mg_grid *g, const double *r)
{
	double sum = 0;
	for (int z = 1; z <= g->planes; z++)
		for (int y = 1; y <= g->n; y++)
			for (int x = 1; x <= g->n; x++) {
				double a = r[z * mg_plane(g) + y * mg_row(g) + x];
				sum += a * a;
			}
	return sum;
}

/* The grids of all levels; level k has 2^k points a side. */
static void mg_grids(struct mg_grid *g, int top, int threads, int me)
{
	for (int k = 1; k <= top; k++) {
		g[k].n = 1 << k;
		g[k].split = threads > 1 && g[k].n >= 2 * threads;
		g[k].planes = g[k].split ? g[k].n / threads : g[k].n;
		g[k].first = g[k].split ? g[k].planes * me : 0;
	}
}
#endif
